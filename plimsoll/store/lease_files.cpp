#include "plimsoll/store/lease_files.h"

#include <algorithm>
#include <cerrno>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/text.h"
#include "plimsoll/store/disk.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view lease_end = ".json", released_end = ".released", work_end = ".work";
constexpr std::string_view fenced_end = ".fenced";
constexpr const char* beat_name = "beat";
constexpr const char* draft_name = "claim.json";

enum class Kind { lease, released, work, fenced };

struct Entry {
    std::string name;
    Kind kind;
    std::uint64_t epoch;
};

std::optional<Kind> kind_of(std::string_view name) {
    if (name.ends_with(lease_end)) return Kind::lease;
    if (name.ends_with(released_end)) return Kind::released;
    if (name.ends_with(work_end)) return Kind::work;
    if (name.ends_with(fenced_end)) return Kind::fenced;
    return std::nullopt;
}

// "7.json" or "7-TOKEN.work"; other names mean nothing.
std::optional<Entry> entry_of(std::string_view name) {
    const auto kind = kind_of(name);
    const auto end = name.find_first_not_of("0123456789");
    if (!kind || end == 0 || end > 18 || end == std::string_view::npos) return std::nullopt;
    std::uint64_t epoch = 0;
    for (const char digit : name.substr(0, end)) epoch = 10 * epoch + static_cast<std::uint64_t>(digit - '0');
    return Entry{std::string(name), *kind, epoch};
}

// Opened again each time, which makes NFS ask the server.
Result<std::vector<Entry>> entries(const fs::path& leases) {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(leases.c_str()), ::closedir);
    if (!folder && errno == ENOENT) return not_found(leases.string(), "no such folder");
    if (!folder) return io_error(leases.string(), std::generic_category().message(errno));
    std::vector<Entry> found;
    while (const dirent* next = ::readdir(folder.get()))
        if (auto entry = entry_of(next->d_name)) found.push_back(std::move(*entry));
    return found;
}

fs::path lease_path(const fs::path& leases, std::uint64_t epoch) {
    return leases / fmt::format("{}{}", epoch, lease_end);
}

template <class T>
T member(const Json& json, const char* key, T fallback) {
    if (!json.is_object() || !json.contains(key)) return fallback;
    const Json& value = json.at(key);
    const bool fits = std::is_same_v<T, std::string> ? value.is_string() : value.is_number_integer();
    return fits ? value.get<T>() : fallback;
}

// A file that cannot be read (the power failed while it was new) is a lease of an unknown process.
LeaseInfo read_lease(const fs::path& leases, std::uint64_t epoch) {
    LeaseInfo lease{.epoch = epoch, .holder = {}, .token = "", .started = "", .released = false};
    const auto json = read_json(lease_path(leases, epoch));
    if (!json.ok()) return lease;
    lease.holder = {member<std::string>(*json, "host", ""), member<std::string>(*json, "system", ""),
                    member<std::int64_t>(*json, "process", 0), member<std::uint64_t>(*json, "start", 0)};
    lease.token = member<std::string>(*json, "token", "");
    lease.started = member<std::string>(*json, "started", "");
    return lease;
}

std::string lease_text(const LeaseInfo& lease) {
    const Json json{
        {"epoch", lease.epoch},        {"host", lease.holder.host},     {"process", lease.holder.process},
        {"start", lease.holder.start}, {"system", lease.holder.system}, {"token", lease.token},
        {"started", lease.started}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// A small file that need not outlive a power failure. `flags` say whether it may be there before.
Status write_small(const fs::path& path, std::string_view text, int flags) {
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0644));
    if (file.get() < 0) return write_error(path, errno);
    const ssize_t written = ::pwrite(file.get(), text.data(), text.size(), 0);
    if (written != static_cast<ssize_t>(text.size())) return write_error(path, written < 0 ? errno : ENOSPC);
    return {};
}

std::string beat_text(std::uint64_t count) { return fmt::format("{:020}\n", count); }

// NFS may report an error for a link that was made: the number of links tells.
bool is_linked(const fs::path& draft) {
    struct stat facts{};
    return ::stat(draft.c_str(), &facts) == 0 && facts.st_nlink == 2;
}

// File systems without links: the first process makes the file and fills it afterwards.
Result<bool> create_exclusively(const fs::path& path, const LeaseInfo& lease) {
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (file.get() < 0 && errno == EEXIST) return false;
    if (file.get() < 0) return write_error(path, errno);
    PLIMSOLL_RETURN_IF_ERROR(write_small(path, lease_text(lease), 0));
    return true;
}

Result<bool> put_lease_in_place(const fs::path& leases, const LeaseInfo& lease) {
    const fs::path draft = leases / work_name(lease) / draft_name, path = lease_path(leases, lease.epoch);
    if (::link(draft.c_str(), path.c_str()) == 0 || is_linked(draft)) return true;
    // The work folder vanishes when a process with a higher epoch was quicker.
    if (errno == EEXIST || errno == ENOENT || errno == ESTALE) return false;
    if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK)
        return create_exclusively(path, lease);
    return write_error(path, errno);
}

Status make_work(const fs::path& leases, const LeaseInfo& lease) {
    const fs::path work = leases / work_name(lease);
    if (::mkdir(work.c_str(), 0755) != 0) return write_error(leases.parent_path(), errno);
    PLIMSOLL_RETURN_IF_ERROR(write_small(work / beat_name, beat_text(0), O_CREAT));
    return write_small(work / draft_name, lease_text(lease), O_CREAT);
}

// A process that uses the folder by its name finds it no more; then it is emptied, again if something came
// in.
Status take_away(const fs::path& leases, const Entry& entry) {
    fs::path path = leases / entry.name;
    if (entry.kind == Kind::work) {
        const fs::path aside = leases / (entry.name + std::string(fenced_end));
        if (::rename(path.c_str(), aside.c_str()) == 0) path = aside;
    }
    Status removed;
    for (int attempt = 0; attempt < 10; ++attempt)
        if (removed = remove_tree(path); removed.ok()) break;
    return removed;
}

}  // namespace

std::string work_name(const LeaseInfo& lease) {
    return fmt::format("{}-{}{}", lease.epoch, lease.token, work_end);
}

Result<LeasesSeen> look_at_leases(const fs::path& leases, const std::string& mine) {
    PLIMSOLL_ASSIGN(found, entries(leases));
    LeasesSeen seen;
    for (const Entry& entry : found) {
        if (entry.kind == Kind::lease) seen.highest = std::max(seen.highest, entry.epoch);
        if (entry.kind == Kind::work && entry.name == mine) seen.mine = true;
    }
    return seen;
}

Result<std::optional<LeaseInfo>> newest_lease(const fs::path& run_folder) {
    const fs::path leases = run_folder / "claims";
    const auto found = entries(leases);
    if (!found.ok() && found.error().kind == ErrorKind::not_found) return std::optional<LeaseInfo>();
    if (!found.ok()) return found.error();
    std::optional<std::uint64_t> epoch;
    for (const Entry& entry : *found)
        if (entry.kind == Kind::lease) epoch = std::max(epoch.value_or(0), entry.epoch);
    if (!epoch) return std::optional<LeaseInfo>();
    LeaseInfo lease = read_lease(leases, *epoch);
    lease.released = std::ranges::any_of(
        *found, [&](const Entry& entry) { return entry.kind == Kind::released && entry.epoch == *epoch; });
    return std::optional(lease);
}

bool is_free(const LeaseInfo& lease) { return lease.released || is_gone(lease.holder); }

std::string sign_of_life(const fs::path& leases, const LeaseInfo& lease) {
    const fs::path path = leases / work_name(lease) / beat_name;
    struct stat facts{};
    const auto text = read_text(path, 100);
    if (!text.ok() || ::stat(path.c_str(), &facts) != 0) return "";
    return fmt::format("{} {}.{}", trim(*text), facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
}

bool show_life(const fs::path& leases, const LeaseInfo& lease, std::uint64_t count) {
    const fs::path path = leases / work_name(lease) / beat_name;
    const Status written = write_small(path, beat_text(count), 0);
    return written.ok() || ::access(path.c_str(), F_OK) == 0;
}

Result<bool> create_lease(const fs::path& leases, const LeaseInfo& lease) {
    const fs::path work = leases / work_name(lease);
    const Status made = make_work(leases, lease);
    auto won = made.ok() ? put_lease_in_place(leases, lease) : Result<bool>(made.error());
    // The first process with this epoch takes the work folders of the others away.
    if (const auto seen = look_at_leases(leases, ""); !made.ok() && seen.ok() && seen->highest >= lease.epoch)
        won = false;
    // Made, and yet too late: an epoch above may have come, and gone as far as removing this one's number.
    if (won.ok() && *won) {
        const auto seen = look_at_leases(leases, work.filename());
        if (seen.ok() && seen->highest == lease.epoch) return true;
        if (seen.ok()) (void)remove_tree(lease_path(leases, lease.epoch));
        won = seen.ok() ? Result<bool>(false) : Result<bool>(seen.error());
    }
    (void)remove_tree(work);
    return won;
}

Status fence_earlier(const fs::path& leases, const LeaseInfo& lease) {
    PLIMSOLL_ASSIGN(found, entries(leases));
    const std::string mine = work_name(lease);
    // Work folders first: from then on nobody earlier can put a file in place.
    std::ranges::sort(found, std::greater{}, [](const Entry& entry) { return entry.kind == Kind::work; });
    for (const Entry& entry : found) {
        const bool lost = entry.epoch == lease.epoch && entry.kind == Kind::work && entry.name != mine;
        if (entry.epoch < lease.epoch || lost) PLIMSOLL_RETURN_IF_ERROR(take_away(leases, entry));
    }
    return {};
}

Status release_lease(const fs::path& leases, const LeaseInfo& lease) {
    const Status removed = remove_tree(leases / work_name(lease));
    PLIMSOLL_RETURN_IF_ERROR(
        write_small(leases / fmt::format("{}{}", lease.epoch, released_end), "", O_CREAT));
    return removed;
}

}  // namespace plimsoll::store

#include "plimsoll/store/claim_files.h"

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

constexpr std::string_view claim_end = ".json", released_end = ".released", work_end = ".work";
constexpr std::string_view fenced_end = ".fenced";
constexpr const char* beat_name = "beat";
constexpr const char* draft_name = "claim.json";

enum class Kind { claim, released, work, fenced };

struct Entry {
    std::string name;
    Kind kind;
    std::uint64_t epoch;
};

std::optional<Kind> kind_of(std::string_view name) {
    if (name.ends_with(claim_end)) return Kind::claim;
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
Result<std::vector<Entry>> entries(const fs::path& claims) {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(claims.c_str()), ::closedir);
    if (!folder && errno == ENOENT) return not_found(claims.string(), "no such folder");
    if (!folder) return io_error(claims.string(), std::generic_category().message(errno));
    std::vector<Entry> found;
    while (const dirent* next = ::readdir(folder.get()))
        if (auto entry = entry_of(next->d_name)) found.push_back(std::move(*entry));
    return found;
}

fs::path claim_path(const fs::path& claims, std::uint64_t epoch) {
    return claims / fmt::format("{}{}", epoch, claim_end);
}

template <class T>
T member(const Json& json, const char* key, T fallback) {
    if (!json.is_object() || !json.contains(key)) return fallback;
    const Json& value = json.at(key);
    const bool fits = std::is_same_v<T, std::string> ? value.is_string() : value.is_number_integer();
    return fits ? value.get<T>() : fallback;
}

// A file that cannot be read (the power failed while it was new) is a claim of an unknown process.
ClaimInfo read_claim(const fs::path& claims, std::uint64_t epoch) {
    ClaimInfo claim{.epoch = epoch, .holder = {}, .token = "", .started = "", .released = false};
    const auto json = read_json(claim_path(claims, epoch));
    if (!json.ok()) return claim;
    claim.holder = {member<std::string>(*json, "host", ""), member<std::string>(*json, "system", ""),
                    member<std::int64_t>(*json, "process", 0), member<std::uint64_t>(*json, "start", 0)};
    claim.token = member<std::string>(*json, "token", "");
    claim.started = member<std::string>(*json, "started", "");
    return claim;
}

std::string claim_text(const ClaimInfo& claim) {
    const Json json{
        {"epoch", claim.epoch},        {"host", claim.holder.host},     {"process", claim.holder.process},
        {"start", claim.holder.start}, {"system", claim.holder.system}, {"token", claim.token},
        {"started", claim.started}};
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
Result<bool> create_exclusively(const fs::path& path, const ClaimInfo& claim) {
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (file.get() < 0 && errno == EEXIST) return false;
    if (file.get() < 0) return write_error(path, errno);
    PLIMSOLL_RETURN_IF_ERROR(write_small(path, claim_text(claim), 0));
    return true;
}

Result<bool> put_claim_in_place(const fs::path& claims, const ClaimInfo& claim) {
    const fs::path draft = claims / work_name(claim) / draft_name, path = claim_path(claims, claim.epoch);
    if (::link(draft.c_str(), path.c_str()) == 0 || is_linked(draft)) return true;
    // The work folder vanishes when a process with a higher epoch was quicker.
    if (errno == EEXIST || errno == ENOENT || errno == ESTALE) return false;
    if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK)
        return create_exclusively(path, claim);
    return write_error(path, errno);
}

Status make_work(const fs::path& claims, const ClaimInfo& claim) {
    const fs::path work = claims / work_name(claim);
    if (::mkdir(work.c_str(), 0755) != 0) return write_error(claims.parent_path(), errno);
    PLIMSOLL_RETURN_IF_ERROR(write_small(work / beat_name, beat_text(0), O_CREAT));
    return write_small(work / draft_name, claim_text(claim), O_CREAT);
}

// A process that uses the folder by its name finds it no more; then it is emptied, again if something came
// in.
Status take_away(const fs::path& claims, const Entry& entry) {
    fs::path path = claims / entry.name;
    if (entry.kind == Kind::work) {
        const fs::path aside = claims / (entry.name + std::string(fenced_end));
        if (::rename(path.c_str(), aside.c_str()) == 0) path = aside;
    }
    Status removed;
    for (int attempt = 0; attempt < 10; ++attempt)
        if (removed = remove_tree(path); removed.ok()) break;
    return removed;
}

}  // namespace

std::string work_name(const ClaimInfo& claim) {
    return fmt::format("{}-{}{}", claim.epoch, claim.token, work_end);
}

Result<ClaimsSeen> look_at_claims(const fs::path& claims, const std::string& mine) {
    PLIMSOLL_ASSIGN(found, entries(claims));
    ClaimsSeen seen;
    for (const Entry& entry : found) {
        if (entry.kind == Kind::claim) seen.highest = std::max(seen.highest, entry.epoch);
        if (entry.kind == Kind::work && entry.name == mine) seen.mine = true;
    }
    return seen;
}

Result<std::optional<ClaimInfo>> newest_claim(const fs::path& run_folder) {
    const fs::path claims = run_folder / "claims";
    const auto found = entries(claims);
    if (!found.ok() && found.error().kind == ErrorKind::not_found) return std::optional<ClaimInfo>();
    if (!found.ok()) return found.error();
    std::optional<std::uint64_t> epoch;
    for (const Entry& entry : *found)
        if (entry.kind == Kind::claim) epoch = std::max(epoch.value_or(0), entry.epoch);
    if (!epoch) return std::optional<ClaimInfo>();
    ClaimInfo claim = read_claim(claims, *epoch);
    claim.released = std::ranges::any_of(
        *found, [&](const Entry& entry) { return entry.kind == Kind::released && entry.epoch == *epoch; });
    return std::optional(claim);
}

bool is_free(const ClaimInfo& claim) { return claim.released || is_gone(claim.holder); }

std::string sign_of_life(const fs::path& claims, const ClaimInfo& claim) {
    const fs::path path = claims / work_name(claim) / beat_name;
    struct stat facts{};
    const auto text = read_text(path, 100);
    if (!text.ok() || ::stat(path.c_str(), &facts) != 0) return "";
    return fmt::format("{} {}.{}", trim(*text), facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
}

bool show_life(const fs::path& claims, const ClaimInfo& claim, std::uint64_t count) {
    const fs::path path = claims / work_name(claim) / beat_name;
    const Status written = write_small(path, beat_text(count), 0);
    return written.ok() || ::access(path.c_str(), F_OK) == 0;
}

Result<bool> create_claim(const fs::path& claims, const ClaimInfo& claim) {
    const fs::path work = claims / work_name(claim);
    const Status made = make_work(claims, claim);
    auto won = made.ok() ? put_claim_in_place(claims, claim) : Result<bool>(made.error());
    // The first process with this epoch takes the work folders of the others away.
    if (const auto seen = look_at_claims(claims, ""); !made.ok() && seen.ok() && seen->highest >= claim.epoch)
        won = false;
    // Made, and yet too late: an epoch above may have come, and gone as far as removing this one's number.
    if (won.ok() && *won) {
        const auto seen = look_at_claims(claims, work.filename());
        if (seen.ok() && seen->highest == claim.epoch) return true;
        if (seen.ok()) (void)remove_tree(claim_path(claims, claim.epoch));
        won = seen.ok() ? Result<bool>(false) : Result<bool>(seen.error());
    }
    (void)remove_tree(work);
    return won;
}

Status fence_earlier(const fs::path& claims, const ClaimInfo& claim) {
    PLIMSOLL_ASSIGN(found, entries(claims));
    const std::string mine = work_name(claim);
    // Work folders first: from then on nobody earlier can put a file in place.
    std::ranges::sort(found, std::greater{}, [](const Entry& entry) { return entry.kind == Kind::work; });
    for (const Entry& entry : found) {
        const bool lost = entry.epoch == claim.epoch && entry.kind == Kind::work && entry.name != mine;
        if (entry.epoch < claim.epoch || lost) PLIMSOLL_RETURN_IF_ERROR(take_away(claims, entry));
    }
    return {};
}

Status release_claim(const fs::path& claims, const ClaimInfo& claim) {
    const Status removed = remove_tree(claims / work_name(claim));
    PLIMSOLL_RETURN_IF_ERROR(
        write_small(claims / fmt::format("{}{}", claim.epoch, released_end), "", O_CREAT));
    return removed;
}

}  // namespace plimsoll::store

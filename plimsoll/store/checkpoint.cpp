#include "plimsoll/store/checkpoint.h"

#include <algorithm>
#include <set>
#include <system_error>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/text.h"
#include "plimsoll/store/disk.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view step_prefix = "step-";
constexpr std::string_view replaced = ".old";
constexpr const char* manifest_name = "manifest.json";

struct Named {
    fs::path folder;
    std::int64_t step = 0;
    bool old = false;
};

// The step of "step-120" or "step-120.old"; nothing for other names.
std::optional<Named> by_name(const fs::path& folder) {
    const std::string name = folder.filename();
    std::string_view text = name;
    if (!text.starts_with(step_prefix)) return std::nullopt;
    text.remove_prefix(step_prefix.size());
    const bool old = text.ends_with(replaced);
    if (old) text.remove_suffix(replaced.size());
    const auto step = parse_integer(text, name);
    if (!step.ok() || *step < 0) return std::nullopt;
    return Named{folder, *step, old};
}

// The checkpoints in `folder`, newest first; none when it does not exist.
Result<std::vector<Named>> checkpoints(const fs::path& folder) {
    std::vector<Named> found;
    const auto entries = entries_of(folder);
    if (!entries.ok() && entries.error().kind == ErrorKind::not_found) return found;
    if (!entries.ok()) return entries.error();
    for (const auto& path : *entries)
        if (const auto named = by_name(path)) found.push_back(*named);
    std::ranges::sort(found, [](const Named& a, const Named& b) {
        return std::pair(a.step, !a.old) > std::pair(b.step, !b.old);
    });
    return found;
}

Status check_size(const fs::path& file, const Json& size) {
    std::error_code problem;
    const auto bytes = fs::file_size(file, problem);
    if (problem) return io_error(file.string(), problem.message());
    if (!size.is_number_unsigned() || size.get<std::uint64_t>() != bytes)
        return io_error(file.string(), fmt::format("has {} bytes, its manifest says {}", bytes, size.dump()));
    return {};
}

// The checkpoint with every file of its manifest there and as long as it was.
Result<Checkpoint> opened(const Named& named) {
    const fs::path path = named.folder / manifest_name;
    PLIMSOLL_ASSIGN(json, read_json(path));
    const bool fits = json.is_object() && json.contains("metrics_bytes") && json.contains("files") &&
                      json.at("metrics_bytes").is_number_unsigned() && json.at("files").is_object();
    if (!fits) return io_error(path.string(), "wants the keys step, metrics_bytes and files");
    for (const auto& [name, size] : json.at("files").items())
        PLIMSOLL_RETURN_IF_ERROR(check_size(named.folder / name, size));
    return Checkpoint{named.folder, named.step, json.at("metrics_bytes").get<std::uint64_t>(),
                      json.value("kept", Json(false)) == true};
}

bool is_kept(const Named& named) {
    const auto checkpoint = opened(named);
    return !named.old && checkpoint.ok() && checkpoint->kept;
}

Status write_one(const fs::path& path, const CheckpointFile& file) {
    const auto* writer = std::get_if<FileWriter>(&file.content);
    if (writer == nullptr) return atomic_write(path, std::get<std::string>(file.content));
    PLIMSOLL_RETURN_IF_ERROR((*writer)(path));
    return sync_path(path);
}

Status write_manifest(const fs::path& making, std::int64_t step, std::uint64_t metrics_bytes, Keep keep,
                      const std::vector<CheckpointFile>& files) {
    Json json;
    json["step"] = step;
    json["metrics_bytes"] = metrics_bytes;
    if (keep == Keep::always) json["kept"] = true;
    json["files"] = Json::object();
    for (const auto& file : files) {
        std::error_code problem;
        const auto bytes = fs::file_size(making / file.name, problem);
        if (problem) return io_error((making / file.name).string(), problem.message());
        json["files"][file.name] = bytes;
    }
    return atomic_write(making / manifest_name, json.dump(2) + "\n");
}

Status write_files(const fs::path& making, std::int64_t step, std::uint64_t metrics_bytes, Keep keep,
                   const std::vector<CheckpointFile>& files) {
    PLIMSOLL_RETURN_IF_ERROR(remove_tree(making));
    // Its parent must be there: a run that was taken over has none.
    std::error_code problem;
    if (!fs::create_directory(making, problem)) return write_error(making, problem.value());
    for (const auto& file : files) PLIMSOLL_RETURN_IF_ERROR(write_one(making / file.name, file));
    PLIMSOLL_RETURN_IF_ERROR(write_manifest(making, step, metrics_bytes, keep, files));
    return sync_path(making);
}

// Between the two renames the old checkpoint is found under its second name.
Status put_checkpoint_in_place(const fs::path& making, const fs::path& final) {
    std::error_code none;
    const fs::path aside = final.string() + std::string(replaced);
    const bool replaces = fs::exists(final, none);
    if (replaces) {
        PLIMSOLL_RETURN_IF_ERROR(remove_tree(aside));
        PLIMSOLL_RETURN_IF_ERROR(rename_path(final, aside));
    }
    if (const Status moved = rename_path(making, final); !moved.ok()) {
        if (replaces) (void)rename_path(aside, final);
        return moved;
    }
    return sync_path(final.parent_path());
}

void check_names(const std::vector<CheckpointFile>& files) {
    std::set<std::string> taken{"", ".", "..", manifest_name};
    for (const auto& file : files) {
        PLIMSOLL_CHECK(file.name.find('/') == std::string::npos, "no plain file name: " + file.name);
        PLIMSOLL_CHECK(taken.insert(file.name).second, "a name that is taken: '" + file.name + "'");
    }
}

}  // namespace

Result<Checkpoint> make_checkpoint(const fs::path& making, const fs::path& folder, std::int64_t step,
                                   std::uint64_t metrics_bytes, const std::vector<CheckpointFile>& files,
                                   const std::function<Status()>& permitted, Keep keep) {
    PLIMSOLL_CHECK(step >= 0, "a checkpoint before the first step");
    check_names(files);
    if (const auto written = write_files(making, step, metrics_bytes, keep, files); !written.ok()) {
        (void)remove_tree(making);
        return written.error();
    }
    if (permitted) PLIMSOLL_RETURN_IF_ERROR(permitted());
    const fs::path final = folder / fmt::format("{}{}", step_prefix, step);
    PLIMSOLL_RETURN_IF_ERROR(put_checkpoint_in_place(making, final));
    PLIMSOLL_RETURN_IF_ERROR(tidy_checkpoints(folder));
    return Checkpoint{final, step, metrics_bytes, keep == Keep::always};
}

Result<std::optional<Checkpoint>> newest_checkpoint(const fs::path& folder, std::int64_t last) {
    PLIMSOLL_ASSIGN(all, checkpoints(folder));
    std::optional<Error> damage;
    for (const Named& named : all) {
        if (named.step > last) continue;
        const auto checkpoint = opened(named);
        if (checkpoint.ok()) return std::optional(*checkpoint);
        if (!damage) damage = checkpoint.error();
    }
    if (damage) return io_error(damage->where, "the checkpoint is damaged: " + damage->message);
    return std::optional<Checkpoint>();
}

Status tidy_checkpoints(const fs::path& folder) {
    const auto newest = newest_checkpoint(folder);
    if (!newest.ok() || !newest->has_value()) return {};
    PLIMSOLL_ASSIGN(all, checkpoints(folder));
    for (const Named& named : all) {
        const bool older = named.step < (*newest)->step || named.old;
        if (!older || named.folder == (*newest)->folder || is_kept(named)) continue;
        PLIMSOLL_RETURN_IF_ERROR(remove_tree(named.folder));
    }
    return {};
}

}  // namespace plimsoll::store

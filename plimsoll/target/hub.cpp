#include "plimsoll/target/hub.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::target {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_part = 96, longest_reference = 128;
// The largest published snapshots hold a few hundred files.
constexpr std::size_t most_entries = 10'000;

// A word that is one plain name of a file: no separator, no "..", no leading point.
bool is_plain_word(std::string_view text) {
    const auto fits = [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
    };
    return !text.empty() && text.size() <= longest_part && text.front() != '.' &&
           std::ranges::all_of(text, fits);
}

std::string folder_name(const std::string& id) {
    const auto slash = id.find('/');
    if (slash == std::string::npos) return "models--" + id;
    return fmt::format("models--{}--{}", id.substr(0, slash), id.substr(slash + 1));
}

// Whether `path`, with every link followed, lies in `folder`.
bool lies_in(const fs::path& path, const fs::path& folder) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error) return false;
    const fs::path root = fs::canonical(folder, error);
    if (error) return false;
    const auto [end, unused] = std::mismatch(root.begin(), root.end(), real.begin(), real.end());
    return end == root.end();
}

Error leads_out(const fs::path& path, const fs::path& root) {
    return bad_input(path.string(), "leads out of " + root.string() + "; nothing there was read");
}

bool is_folder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

// The only snapshot there is, for a cache without references.
std::string single_snapshot(const fs::path& root) {
    std::error_code error;
    std::vector<std::string> names;
    fs::directory_iterator entry(root / "snapshots", error);
    for (; !error && entry != fs::directory_iterator() && names.size() < 2; entry.increment(error))
        names.push_back(entry->path().filename().string());
    return names.size() == 1 ? names.front() : "";
}

// The commit of a branch or tag, a commit that is there itself, or nothing.
Result<std::string> commit_of(const HubId& id, const fs::path& root) {
    const fs::path reference = root / "refs" / id.revision;
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(reference, ignored))) {
        if (!lies_in(reference, root)) return leads_out(reference, root);
        PLIMSOLL_ASSIGN(text, read_text(reference, longest_reference));
        const std::string commit(trim(text));
        if (!is_plain_word(commit)) return bad_input(reference.string(), "does not hold a commit");
        return commit;
    }
    if (is_folder(root / "snapshots" / id.revision)) return id.revision;
    return id.revision == "main" ? single_snapshot(root) : std::string();
}

// Files of a snapshot are links into the blobs beside it; a link that leads elsewhere is refused.
Status check_links(const fs::path& snapshot, const fs::path& root) {
    std::error_code error;
    std::size_t seen = 0;
    fs::directory_iterator entry(snapshot, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        if (++seen > most_entries) return bad_input(snapshot.string(), "holds too many files for a model");
        std::error_code ignored;
        const bool there = fs::exists(entry->path(), ignored);
        if (there && !lies_in(entry->path(), root)) return leads_out(entry->path(), root);
    }
    if (error) return io_error(snapshot.string(), "cannot list this folder: " + error.message());
    return {};
}

fs::path folder_in(const char* variable, const char* below) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == 0) return {};
    return *below == 0 ? fs::path(value) : fs::path(value) / below;
}

}  // namespace

std::optional<HubId> parse_hub_id(std::string_view text) {
    HubId id;
    const auto at = text.find('@');
    if (at != std::string_view::npos) id.revision = std::string(text.substr(at + 1));
    id.id = std::string(text.substr(0, at));
    const auto slash = id.id.find('/');
    const std::string_view whole = id.id;
    const bool good = slash == std::string::npos
                          ? is_plain_word(whole)
                          : is_plain_word(whole.substr(0, slash)) && is_plain_word(whole.substr(slash + 1));
    return good && is_plain_word(id.revision) ? std::optional(id) : std::nullopt;
}

fs::path usual_hub_folder() {
    for (const auto& [variable, below] : {std::pair{"HF_HUB_CACHE", ""},
                                          {"HF_HOME", "hub"},
                                          {"XDG_CACHE_HOME", "huggingface/hub"},
                                          {"HOME", ".cache/huggingface/hub"}}) {
        if (fs::path folder = folder_in(variable, below); !folder.empty()) return folder;
    }
    return {};
}

Result<fs::path> find_snapshot(const HubId& id, const fs::path& hub) {
    const fs::path root = hub / folder_name(id.id);
    if (hub.empty() || !is_folder(root))
        return not_found(id.id, "is not in the local hub cache" + (hub.empty() ? "" : " " + hub.string()));
    if (!lies_in(root, hub)) return leads_out(root, hub);
    PLIMSOLL_ASSIGN(commit, commit_of(id, root));
    const fs::path snapshot = root / "snapshots" / commit;
    if (commit.empty() || !is_folder(snapshot))
        return not_found(id.id,
                         fmt::format("{} holds no files of the revision {}", root.string(), id.revision));
    if (!lies_in(snapshot, root)) return leads_out(snapshot, root);
    PLIMSOLL_RETURN_IF_ERROR(check_links(snapshot, root));
    return snapshot;
}

}  // namespace plimsoll::target

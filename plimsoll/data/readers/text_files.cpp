#include "plimsoll/data/readers/text_files.h"

#include <algorithm>

namespace plimsoll::data {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> list_text_files(const fs::path& path) {
    if (!fs::is_directory(path)) return std::vector{path};
    std::error_code problem;
    std::vector<fs::path> files;
    for (fs::recursive_directory_iterator entry(path, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        std::error_code ignored;
        if (entry->path().filename().string().starts_with('.')) {
            if (entry->is_directory(ignored)) entry.disable_recursion_pending();
        } else if (entry->is_regular_file(ignored)) {
            files.push_back(entry->path());
        }
    }
    if (problem) return io_error(path.string(), problem.message());
    if (files.empty()) return not_found(path.string(), "has no files");
    std::sort(files.begin(), files.end());
    return files;
}

Result<TextFiles> load_text(const fs::path& path, const LoadOptions& options) {
    PLIMSOLL_ASSIGN(paths, list_text_files(path));
    PLIMSOLL_ASSIGN(files, load_files(paths, options));
    TextFiles text;
    for (auto& file : files) {
        const auto bytes = file.bytes.view();
        const std::span characters(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        text.files.push_back({std::move(file.name), {characters, file.bytes.keeper()}});
    }
    return text;
}

}  // namespace plimsoll::data

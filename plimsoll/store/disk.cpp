#include "plimsoll/store/disk.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"

namespace plimsoll::store {

namespace fs = std::filesystem;

Descriptor::~Descriptor() {
    if (value_ >= 0) ::close(value_);
}

Error write_error(const fs::path& path, int code) {
    return io_error(path.string(), fmt::format("cannot be written: {}", std::strerror(code)));
}

Status sync_path(const fs::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0 || ::fsync(file.get()) != 0) return write_error(path, errno);
    return {};
}

Status make_folders(const fs::path& path) {
    std::error_code problem;
    fs::create_directories(path, problem);
    if (problem) return write_error(path, problem.value());
    return {};
}

Status replace_file(const fs::path& work, const fs::path& path, std::string_view content) {
    const fs::path made = work / path.filename();
    PLIMSOLL_RETURN_IF_ERROR(atomic_write(made, content));
    return rename_path(made, path);
}

Status rename_path(const fs::path& from, const fs::path& to) {
    std::error_code problem;
    fs::rename(from, to, problem);
    if (problem) return write_error(to, problem.value());
    return {};
}

Status remove_tree(const fs::path& path) {
    std::error_code problem;
    fs::remove_all(path, problem);
    if (problem) return io_error(path.string(), fmt::format("cannot be removed: {}", problem.message()));
    return {};
}

Result<std::vector<fs::path>> entries_of(const fs::path& folder) {
    std::error_code problem;
    std::vector<fs::path> entries;
    for (fs::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem))
        entries.push_back(at->path());
    if (problem == std::errc::no_such_file_or_directory) return not_found(folder.string(), "no such folder");
    if (problem) return io_error(folder.string(), problem.message());
    std::ranges::sort(entries);
    return entries;
}

}  // namespace plimsoll::store

#include "plimsoll/store/line_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plimsoll/base/format.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;

// One past the last line end in the first `size` bytes of the file, read backwards in pieces.
Result<std::uint64_t> whole_lines(int file, std::uint64_t size, const fs::path& path) {
    std::array<char, 65'536> piece{};
    while (size > 0) {
        const std::uint64_t start = size - std::min<std::uint64_t>(size, piece.size());
        const ssize_t got = ::pread(file, piece.data(), size - start, static_cast<off_t>(start));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return io_error(path.string(), std::generic_category().message(errno));
        const std::string_view text(piece.data(), static_cast<std::size_t>(got));
        if (const auto end = text.rfind('\n'); end != std::string_view::npos) return start + end + 1;
        size = start;
    }
    return std::uint64_t{0};
}

}  // namespace

Result<LineFile> LineFile::open(const fs::path& path) {
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (file.get() < 0) return write_error(path, errno);
    struct stat facts{};
    if (::fstat(file.get(), &facts) != 0) return write_error(path, errno);
    const auto size = static_cast<std::uint64_t>(facts.st_size);
    PLIMSOLL_ASSIGN(whole, whole_lines(file.get(), size, path));
    LineFile lines(path, std::move(file), size);
    if (whole < size) PLIMSOLL_RETURN_IF_ERROR(lines.cut(whole));
    lines.half_ = size - whole;
    return lines;
}

Status LineFile::append(std::string_view line) {
    PLIMSOLL_CHECK(line.find('\n') == std::string_view::npos, "a line with a line end inside");
    const std::string text = fmt::format("{}\n", line);
    ssize_t written = 0;
    do {
        written = ::write(file_.get(), text.data(), text.size());
    } while (written < 0 && errno == EINTR);
    if (written == static_cast<ssize_t>(text.size())) {
        bytes_ += text.size();
        return {};
    }
    // Part of a line is there: the next byte has no room.
    const int code = written < 0 ? errno : ENOSPC;
    if (written > 0) PLIMSOLL_RETURN_IF_ERROR(cut(bytes_));
    return write_error(path_, code);
}

Status LineFile::cut(std::uint64_t bytes) {
    struct stat facts{};
    if (::fstat(file_.get(), &facts) != 0) return write_error(path_, errno);
    if (static_cast<std::uint64_t>(facts.st_size) < bytes) {
        return io_error(path_.string(), fmt::format("has {} bytes, should have {} at least: was it changed?",
                                                    facts.st_size, bytes));
    }
    if (::ftruncate(file_.get(), static_cast<off_t>(bytes)) != 0) return write_error(path_, errno);
    bytes_ = bytes;
    return {};
}

Status LineFile::sync() {
    if (::fsync(file_.get()) != 0) return write_error(path_, errno);
    return {};
}

}  // namespace plimsoll::store

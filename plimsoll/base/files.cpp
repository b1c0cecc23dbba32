#include "plimsoll/base/files.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plimsoll/base/format.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

Error system_error(const fs::path& path, int code) {
    if (code == ENOENT) return not_found(path.string(), "no such file");
    return io_error(path.string(), std::strerror(code));
}

// A descriptor that closes itself.
class Descriptor {
  public:
    explicit Descriptor(int value) : value_(value) {}
    Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() {
        if (value_ >= 0) ::close(value_);
    }
    [[nodiscard]] int get() const { return value_; }
    [[nodiscard]] int release() { return std::exchange(value_, -1); }

  private:
    int value_;
};

struct RegularFile {
    Descriptor descriptor;
    std::size_t size;
};

// O_NONBLOCK so that opening a FIFO returns at once and can be refused.
Result<RegularFile> open_regular(const fs::path& path) {
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0) return system_error(path, errno);
    struct stat facts{};
    if (::fstat(file.get(), &facts) != 0) return system_error(path, errno);
    if (!S_ISREG(facts.st_mode)) return bad_input(path.string(), "is not a regular file");
    return RegularFile{std::move(file), static_cast<std::size_t>(facts.st_size)};
}

Status write_all(int descriptor, std::string_view content, const fs::path& path) {
    while (!content.empty()) {
        const ssize_t written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return system_error(path, errno);
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<Descriptor> open_lock(const fs::path& path, int operation) {
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (file.get() < 0) return system_error(path, errno);
    while (::flock(file.get(), operation) != 0) {
        if (errno == EINTR) continue;
        if (errno == EWOULDBLOCK) return unsupported(path.string(), "is locked by another process");
        return system_error(path, errno);
    }
    return file;
}

}  // namespace

Result<std::string> read_text(const fs::path& path, std::size_t most_bytes) {
    PLIMSOLL_ASSIGN(file, open_regular(path));
    if (file.size > most_bytes) {
        return bad_input(path.string(),
                         fmt::format("is {} bytes long; the limit is {}", file.size, most_bytes));
    }
    std::string text(file.size, '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t got = ::read(file.descriptor.get(), text.data() + done, text.size() - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return system_error(path, errno);
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    text.resize(done);
    return text;
}

Status atomic_write(const fs::path& path, std::string_view content) {
    return atomic_write(path, std::span(&content, 1));
}

Status atomic_write(const fs::path& path, std::span<const std::string_view> pieces) {
    PLIMSOLL_ASSIGN(file, AtomicFile::create(path));
    for (const std::string_view piece : pieces) PLIMSOLL_RETURN_IF_ERROR(file.write(piece));
    return file.commit();
}

AtomicFile::AtomicFile(fs::path path, fs::path temporary, int descriptor)
    : path_(std::move(path)), temporary_(std::move(temporary)), descriptor_(descriptor) {}
AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}
AtomicFile::~AtomicFile() {
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
}

Result<AtomicFile> AtomicFile::create(const fs::path& path) {
    const fs::path temporary = fmt::format("{}.tmp.{}", path.string(), ::getpid());
    const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor >= 0) return AtomicFile(path, temporary, descriptor);
    if (errno == ENOENT) return io_error(path.string(), "cannot be written: its folder does not exist");
    return system_error(path, errno);
}

Status AtomicFile::write(std::string_view bytes) { return write_all(descriptor_, bytes, path_); }

Status AtomicFile::commit() {
    if (::fsync(descriptor_) != 0) return system_error(path_, errno);
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) return system_error(path_, errno);
    ::close(std::exchange(descriptor_, -1));
    return {};
}

Result<MappedFile> MappedFile::open(const fs::path& path) {
    PLIMSOLL_ASSIGN(file, open_regular(path));
    if (file.size == 0) return MappedFile(nullptr, 0);
    void* data = ::mmap(nullptr, file.size, PROT_READ, MAP_PRIVATE, file.descriptor.get(), 0);
    if (data == MAP_FAILED) return system_error(path, errno);
    return MappedFile(static_cast<const std::byte*>(data), file.size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

MappedFile::~MappedFile() {
    if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

Result<FileLock> FileLock::wait(const fs::path& path) {
    PLIMSOLL_ASSIGN(file, open_lock(path, LOCK_EX));
    return FileLock(file.release());
}

Result<FileLock> FileLock::try_now(const fs::path& path) {
    PLIMSOLL_ASSIGN(file, open_lock(path, LOCK_EX | LOCK_NB));
    return FileLock(file.release());
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

FileLock::~FileLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace plimsoll

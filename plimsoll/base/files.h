#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "plimsoll/base/result.h"

namespace plimsoll {

// The whole of a regular file as text; FIFOs, folders, devices and files above `most_bytes` are refused.
Result<std::string> read_text(const std::filesystem::path& path,
                              std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

// Writes `content` to a temporary neighbour, syncs it and renames it over `path`: readers see the old or the
// new, never a part.
Status atomic_write(const std::filesystem::path& path, std::string_view content);
// The same for content in pieces, written one after the other.
Status atomic_write(const std::filesystem::path& path, std::span<const std::string_view> pieces);

// The same for content that comes bit by bit: it goes to a temporary neighbour, which becomes `path` when
// commit() is called and vanishes otherwise. Moves but does not copy.
class AtomicFile {
  public:
    static Result<AtomicFile> create(const std::filesystem::path& path);
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile();

    Status write(std::string_view bytes);
    // Syncs and renames; nothing can be written afterwards.
    Status commit();

  private:
    AtomicFile(std::filesystem::path path, std::filesystem::path temporary, int descriptor);
    std::filesystem::path path_, temporary_;
    int descriptor_ = -1;  // -1 once committed
};

// A regular file mapped read-only; moves but does not copy.
class MappedFile {
  public:
    static Result<MappedFile> open(const std::filesystem::path& path);
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }

  private:
    MappedFile(const std::byte* data, std::size_t size) : data_(data), size_(size) {}
    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

// An exclusive advisory lock on a file, held until destruction; another process waits or gets an error.
class FileLock {
  public:
    // Waits until the lock is ours.
    static Result<FileLock> wait(const std::filesystem::path& path);
    // Ours now, or an `unsupported`-kind error saying who is in the way.
    static Result<FileLock> try_now(const std::filesystem::path& path);
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    ~FileLock();

  private:
    explicit FileLock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_ = -1;
};

}  // namespace plimsoll

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "plimsoll/base/result.h"

namespace plimsoll::data {

enum class Compression { none, gzip, xz, zstd };

// What the first bytes of a file say it is; names are not looked at.
Compression compression_of(std::span<const std::byte> first_bytes);

// The bytes of a regular file one after the other, decompressed on the way (.gz, .xz, .zst, several members
// in a row too). Moves but does not copy.
class ByteStream {
  public:
    static Result<ByteStream> open(const std::filesystem::path& path);
    ByteStream(ByteStream&&) noexcept;
    ByteStream& operator=(ByteStream&&) noexcept;
    ~ByteStream();

    // Fills `out` and says how much of it; less than all only at the end. An error says at which byte of the
    // file and of the content the damage is.
    Result<std::size_t> read(std::span<std::byte> out);

    [[nodiscard]] Compression compression() const;
    [[nodiscard]] std::uint64_t bytes_taken() const;  // of the file, for progress
    [[nodiscard]] std::uint64_t file_bytes() const;
    [[nodiscard]] std::uint64_t bytes_given() const;  // of the content

    // What decompresses; an implementation detail of byte_stream.cpp.
    class Decoder;

  private:
    explicit ByteStream(std::unique_ptr<Decoder> decoder);
    std::unique_ptr<Decoder> decoder_;
};

// The whole content of a file; `bad_input` when it is more than `most_bytes` (a small file may unpack to
// terabytes).
Result<std::vector<std::byte>> read_bytes(const std::filesystem::path& path, std::uint64_t most_bytes);

}  // namespace plimsoll::data

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "plimsoll/base/format.h"
#include "plimsoll/base/result.h"
#include "plimsoll/formats/byte_text.h"

namespace plimsoll::formats {

// Walks through hostile bytes from front to back: whatever is not there is an error that says what was being
// read, and nothing is copied or allocated by a number from the file.
class ByteReader {
  public:
    // Reads within `bytes`; `end_reason` is the sentence for running over their end.
    ByteReader(std::span<const std::byte> bytes, std::string where, std::string end_reason)
        : rest_(bytes), size_(bytes.size()), where_(std::move(where)), end_reason_(std::move(end_reason)) {}

    [[nodiscard]] std::uint64_t position() const { return size_ - rest_.size(); }
    [[nodiscard]] std::uint64_t left() const { return rest_.size(); }

    // The next little-endian number.
    template <class T>
    Result<T> number(std::string_view what) {
        PLIMSOLL_ASSIGN(bytes, take(sizeof(T), what));
        return load_little<T>(bytes);
    }

    // The next `count` bytes.
    Result<std::span<const std::byte>> take(std::uint64_t count, std::string_view what) {
        if (count > rest_.size()) return ended(what);
        const auto taken = rest_.first(count);
        rest_ = rest_.subspan(count);
        return taken;
    }

    // What a record of `least_bytes` or more may be counted to: an error when `count` of them cannot follow.
    Status expect(std::uint64_t count, std::uint64_t least_bytes, std::string_view what) const {
        if (count <= rest_.size() / least_bytes) return {};
        return refuse(fmt::format("states {} {}, but only {} bytes follow", count, what, rest_.size()));
    }

    [[nodiscard]] Error refuse(std::string message) const { return bad_input(where_, std::move(message)); }
    [[nodiscard]] Error not_supported(std::string message) const {
        return unsupported(where_, std::move(message));
    }

  private:
    [[nodiscard]] Error ended(std::string_view what) const {
        return refuse(fmt::format("{} (in {}, at byte {})", end_reason_, what, position()));
    }

    std::span<const std::byte> rest_;
    std::uint64_t size_;
    std::string where_;
    std::string end_reason_;
};

}  // namespace plimsoll::formats

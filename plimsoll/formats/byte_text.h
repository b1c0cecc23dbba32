#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll::formats {

static_assert(std::endian::native == std::endian::little, "the formats are little-endian and so must we be");

// Bytes as text and back; the memory is the caller's.
inline std::string_view as_text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline std::span<const std::byte> as_bytes(std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

// The number in the first sizeof(T) of `bytes`, which must be there.
template <class T>
T load_little(std::span<const std::byte> bytes) {
    T value;
    std::memcpy(&value, bytes.first(sizeof(T)).data(), sizeof(T));
    return value;
}

// The bytes of a number.
template <class T>
std::string store_little(T value) {
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
}

}  // namespace plimsoll::formats

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/formats/byte_text.h"

namespace plimsoll::formats {

// Value types of GGUF, by their number in the file.
enum class GgufType : std::uint32_t {
    u8,
    i8,
    u16,
    i16,
    u32,
    i32,
    f32,
    boolean,
    string,
    array,
    u64,
    i64,
    f64
};
constexpr std::uint32_t gguf_type_count = 13;

// "u8" ... "string", "array".
std::string_view name_of(GgufType type);

// Bytes of one value in the file; 0 for string and array, whose size varies.
std::uint64_t size_of(GgufType type);

// A value in the bytes it has in the file, so that what is read is what is written: a string without its
// length, an array without its element type and count.
struct GgufValue {
    GgufType type = GgufType::u32;
    GgufType element = GgufType::u32;  // of an array
    std::uint64_t count = 1;           // elements of an array
    std::string bytes;

    bool operator==(const GgufValue&) const = default;
};

// The value as a whole number, as text; nothing where it has another type or does not fit.
std::optional<std::int64_t> as_integer(const GgufValue& value);
std::optional<std::string_view> as_text(const GgufValue& value);

// The strings of an array of strings; empty for every other type. The views live as long as the value.
std::vector<std::string_view> as_texts(const GgufValue& value);

// JSON for reports: strings that are not UTF-8 get U+FFFD, large values become {"type", "count" or "bytes"}.
Json to_json(const GgufValue& value);

}  // namespace plimsoll::formats

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll::bpe {

// The four kinds of character that pre-tokenisers tell apart: \p{L}, \p{N}, \s (White_Space) and all others.
enum class CharClass : std::uint8_t { other, letter, number, space };

// The class of a code point; what is beyond Unicode is `other`.
CharClass class_of(std::uint32_t code_point);

// The version of Unicode behind class_of(), such as "15.0.0".
std::string unicode_version();

struct Char {
    CharClass kind = CharClass::other;
    std::uint8_t bytes = 1;
};

// The class of each byte below 128; the others are `other` here.
const std::array<CharClass, 256>& ascii_classes();

// The character at the start of [first, last), which is not empty. A byte that begins no well-formed UTF-8
// character is an `other` character of one byte.
Char char_at(const char* first, const char* last);

}  // namespace plimsoll::bpe

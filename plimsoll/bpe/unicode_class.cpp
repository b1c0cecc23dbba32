#include "plimsoll/bpe/unicode_class.h"

#include <algorithm>
#include <vector>

#include <utf8proc.h>

namespace plimsoll::bpe {
namespace {

constexpr std::uint32_t code_points = 0x110000;

// Unicode's White_Space, which is \s for Oniguruma (Hugging Face) and for Rust's regex (tiktoken).
bool is_white_space(std::uint32_t code) {
    return (code >= 0x09 && code <= 0x0d) || code == 0x20 || code == 0x85 || code == 0xa0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029 || code == 0x202f ||
           code == 0x205f || code == 0x3000;
}

CharClass look_up(std::uint32_t code) {
    if (is_white_space(code)) return CharClass::space;
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(code))) {
        case UTF8PROC_CATEGORY_LU:
        case UTF8PROC_CATEGORY_LL:
        case UTF8PROC_CATEGORY_LT:
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_LO:
            return CharClass::letter;
        case UTF8PROC_CATEGORY_ND:
        case UTF8PROC_CATEGORY_NL:
        case UTF8PROC_CATEGORY_NO:
            return CharClass::number;
        default:
            return CharClass::other;
    }
}

std::vector<CharClass> make_table() {
    std::vector<CharClass> table(code_points);
    for (std::uint32_t code = 0; code < code_points; ++code) table[code] = look_up(code);
    return table;
}

std::uint32_t byte_of(const char* at) { return static_cast<unsigned char>(*at); }
bool continues(const char* at) { return (byte_of(at) & 0xc0U) == 0x80U; }
std::uint32_t tail(const char* at) { return byte_of(at) & 0x3fU; }

// The well-formed character of more than one byte at `at`: its code point and length, or length 1 for none.
struct Decoded {
    std::uint32_t code = 0;
    std::uint8_t bytes = 1;
};

Decoded decode_two(const char* at) {
    if (byte_of(at) < 0xc2U || !continues(at + 1)) return {};
    return {(byte_of(at) & 0x1fU) << 6U | tail(at + 1), 2};
}
Decoded decode_three(const char* at) {
    if (!continues(at + 1) || !continues(at + 2)) return {};
    const std::uint32_t code = (byte_of(at) & 0xfU) << 12U | tail(at + 1) << 6U | tail(at + 2);
    const bool surrogate = code >= 0xd800U && code <= 0xdfffU;
    if (code < 0x800U || surrogate) return {};
    return {code, 3};
}
Decoded decode_four(const char* at) {
    if (!continues(at + 1) || !continues(at + 2) || !continues(at + 3)) return {};
    const std::uint32_t code =
        (byte_of(at) & 0x7U) << 18U | tail(at + 1) << 12U | tail(at + 2) << 6U | tail(at + 3);
    if (code < 0x10000U || code >= code_points) return {};
    return {code, 4};
}

Decoded decode(const char* at, const char* last) {
    const std::uint32_t lead = byte_of(at);
    const std::ptrdiff_t left = last - at;
    if (lead >= 0xc0U && lead < 0xe0U && left >= 2) return decode_two(at);
    if (lead >= 0xe0U && lead < 0xf0U && left >= 3) return decode_three(at);
    if (lead >= 0xf0U && lead < 0xf8U && left >= 4) return decode_four(at);
    return {};
}

}  // namespace

CharClass class_of(std::uint32_t code_point) {
    static const std::vector<CharClass> table = make_table();
    return code_point < code_points ? table[code_point] : CharClass::other;
}

std::string unicode_version() { return utf8proc_unicode_version(); }

const std::array<CharClass, 256>& ascii_classes() {
    static const std::array<CharClass, 256> classes = [] {
        std::array<CharClass, 256> table{};
        for (std::uint32_t code = 0; code < 128; ++code) table[code] = class_of(code);
        return table;
    }();
    return classes;
}

Char char_at(const char* first, const char* last) {
    if (byte_of(first) < 0x80U) return {class_of(byte_of(first)), 1};
    const Decoded character = decode(first, last);
    if (character.bytes == 1) return {};
    return {class_of(character.code), character.bytes};
}

}  // namespace plimsoll::bpe

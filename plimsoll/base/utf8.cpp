#include "plimsoll/base/utf8.h"

#include <cstdint>

#include "plimsoll/base/format.h"

namespace plimsoll {
namespace {

// Bytes of a character by its first byte; 0 for a byte that starts none.
std::size_t length_by_lead(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead < 0xC2) return 0;
    if (lead < 0xE0) return 2;
    if (lead < 0xF0) return 3;
    return lead < 0xF5 ? 4 : 0;
}

// C0, DEL and C1: what a terminal would obey instead of showing.
bool is_control(std::string_view character) {
    const auto lead = static_cast<unsigned char>(character[0]);
    if (character.size() == 1) return lead < 0x20 || lead == 0x7F;
    return lead == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
    if (text.empty()) return 0;
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = length_by_lead(lead);
    if (length == 0 || length > text.size()) return 0;
    std::uint32_t point = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t k = 1; k < length; ++k) {
        const auto next = static_cast<unsigned char>(text[k]);
        if ((next & 0xC0U) != 0x80) return 0;
        point = point << 6 | (next & 0x3FU);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = point >= 0xD800 && point < 0xE000;
    return point < least[length] || point > 0x10FFFF || surrogate ? 0 : length;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string printable(std::string_view text, std::size_t most) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const std::string_view piece = text.substr(0, length == 0 ? 1 : length);
        if (out.size() + piece.size() > most) return out + "...";
        if (length == 0 || is_control(piece)) {
            for (const char c : piece) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
            out += piece;
        }
        text.remove_prefix(piece.size());
    }
    return out;
}

}  // namespace plimsoll

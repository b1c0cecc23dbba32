#include "plimsoll/base/base64.h"

#include <algorithm>
#include <cstdint>

namespace plimsoll {
namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::uint32_t byte_of(std::string_view text, std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

}  // namespace

std::string base64(std::string_view bytes) {
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::uint32_t group =
            byte_of(bytes, at) << 16U | byte_of(bytes, at + 1) << 8U | byte_of(bytes, at + 2);
        const std::size_t used = std::min<std::size_t>(3, bytes.size() - at);
        for (unsigned digit = 0; digit < 4; ++digit)
            text += digit <= used ? digits[group >> (18U - 6U * digit) & 63U] : '=';
    }
    return text;
}

std::optional<std::string> bytes_of_base64(std::string_view text) {
    if (text.empty() || text.size() % 4 != 0) return std::nullopt;
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    std::string bytes;
    std::uint32_t group = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool pad = at >= text.size() - padding;
        const std::size_t digit = pad ? 0 : digits.find(text[at]);
        if (digit == std::string_view::npos) return std::nullopt;
        group = group << 6U | static_cast<std::uint32_t>(digit);
        if (at % 4 != 3) continue;
        for (const unsigned shift : {16U, 8U, 0U}) bytes += static_cast<char>(group >> shift & 0xffU);
        group = 0;
    }
    bytes.erase(bytes.size() - padding);  // resize() would have GCC 12 warn of a string too long
    return base64(bytes) == text ? std::optional(bytes) : std::nullopt;
}

}  // namespace plimsoll

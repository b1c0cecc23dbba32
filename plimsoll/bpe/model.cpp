#include "plimsoll/bpe/model.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "plimsoll/base/format.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll::bpe {
namespace {

constexpr std::uint32_t missing = std::numeric_limits<std::uint32_t>::max();

// Printable characters of Latin-1 stand for themselves.
bool stands_for_itself(std::uint32_t byte) {
    return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}

// The code point that stands for each byte; the others get those from 256 on, in order.
std::array<std::uint32_t, 256> make_byte_code_points() {
    std::array<std::uint32_t, 256> codes{};
    std::uint32_t next = 256;
    for (std::uint32_t byte = 0; byte < 256; ++byte) codes[byte] = stands_for_itself(byte) ? byte : next++;
    return codes;
}

const std::array<std::uint32_t, 256>& byte_code_points() {
    static const auto codes = make_byte_code_points();
    return codes;
}

// All code points here are below 0x800: one or two bytes.
std::string utf8(std::uint32_t code) {
    if (code < 0x80U) return std::string(1, static_cast<char>(code));
    return {static_cast<char>(0xc0U | code >> 6U), static_cast<char>(0x80U | (code & 0x3fU))};
}

std::unordered_map<std::string, char> make_bytes() {
    std::unordered_map<std::string, char> bytes;
    for (std::uint32_t byte = 0; byte < 256; ++byte)
        bytes.emplace(utf8(byte_code_points()[byte]), static_cast<char>(byte));
    return bytes;
}

}  // namespace

std::size_t BpeModel::size() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(tokens, [](const std::string& token) { return !token.empty(); }));
}

Result<std::array<std::uint32_t, 256>> BpeModel::byte_ids() const {
    std::array<std::uint32_t, 256> ids{};
    ids.fill(missing);
    for (std::uint32_t id = 0; id < tokens.size(); ++id) {
        const bool special = std::ranges::find(specials, id, &SpecialToken::id) != specials.end();
        if (tokens[id].size() == 1 && !special) ids[static_cast<unsigned char>(tokens[id][0])] = id;
    }
    const auto* none = std::ranges::find(ids, missing);
    if (none == ids.end()) return ids;
    return unsupported(
        "tokenizer",
        fmt::format("byte 0x{:02x} has no token, so not every text could be encoded", none - ids.begin()));
}

std::string byte_text(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) text += utf8(byte_code_points()[static_cast<unsigned char>(byte)]);
    return text;
}

Result<std::string> bytes_of_text(std::string_view text) {
    static const auto bytes = make_bytes();
    std::string result;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t size = std::max<std::size_t>(1, utf8_length(rest));
        const auto found = bytes.find(std::string(rest.substr(0, size)));
        if (found == bytes.end()) {
            return bad_input("", fmt::format("token '{}' is not written in GPT-2's characters for bytes",
                                             printable(text)));
        }
        result += found->second;
        rest.remove_prefix(size);
    }
    return result;
}

const std::array<unsigned char, 256>& alphabet_order() {
    static const auto order = [] {
        std::array<unsigned char, 256> bytes{};
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i);
        std::ranges::sort(bytes, {}, [](unsigned char byte) { return byte_code_points()[byte]; });
        return bytes;
    }();
    return order;
}

}  // namespace plimsoll::bpe

#include "plimsoll/server/http/address.h"

#include <optional>

#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll::server {
namespace {

constexpr std::size_t most_parameters = 64;

std::optional<int> hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return std::nullopt;
}

Error broken(std::string_view what) { return bad_input("address", std::string(what)); }

Status check_path(const std::string& path) {
    if (path.empty() || path.front() != '/') return broken("must begin with a slash");
    if (path.find('\\') != std::string::npos) return broken("must not have a backslash");
    if (path == "/") return {};
    for (const auto& part : split(std::string_view(path).substr(1), '/'))
        if (part.empty() || part == "." || part == "..")
            return broken("must not have empty parts, '.' or '..'");
    return {};
}

Result<Query> parse_query(std::string_view text) {
    Query query;
    for (const auto& pair : split(text, '&')) {
        if (pair.empty()) continue;
        if (query.size() == most_parameters) return broken("has more than 64 parameters");
        const auto equals = pair.find('=');
        PLIMSOLL_ASSIGN(name, decoded(std::string_view(pair).substr(0, equals), true));
        std::string value;
        if (equals != std::string::npos) {
            PLIMSOLL_ASSIGN(given, decoded(std::string_view(pair).substr(equals + 1), true));
            value = std::move(given);
        }
        query.emplace_back(std::move(name), std::move(value));
    }
    return query;
}

}  // namespace

Result<std::string> decoded(std::string_view text, bool in_query) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            plain += in_query && text[i] == '+' ? ' ' : text[i];
            continue;
        }
        const auto high = i + 2 < text.size() ? hex_digit(text[i + 1]) : std::nullopt;
        const auto low = i + 2 < text.size() ? hex_digit(text[i + 2]) : std::nullopt;
        if (!high || !low) return broken("has a broken escape");
        plain += static_cast<char>(*high * 16 + *low);
        i += 2;
    }
    if (plain.find('\0') != std::string::npos) return broken("has a NUL");
    if (!is_utf8(plain)) return broken("is no UTF-8");
    return plain;
}

Result<Address> parse_address(std::string_view target) {
    target = target.substr(0, target.find('#'));
    const auto question = target.find('?');
    Address address;
    PLIMSOLL_ASSIGN(path, decoded(target.substr(0, question), false));
    PLIMSOLL_RETURN_IF_ERROR(check_path(path));
    address.path = std::move(path);
    if (question != std::string_view::npos) {
        PLIMSOLL_ASSIGN(query, parse_query(target.substr(question + 1)));
        address.query = std::move(query);
    }
    return address;
}

}  // namespace plimsoll::server

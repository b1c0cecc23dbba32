#include "plimsoll/server/http/gate.h"

#include <algorithm>
#include <array>

#include <arpa/inet.h>
#include <sys/random.h>
#include <unistd.h>

#include "plimsoll/base/check.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::server {
namespace {

constexpr int forbidden = 403, unauthorised = 401, see_other = 303, misdirected = 421;
constexpr std::string_view cookie_name = "plimsoll_token";

// "127.0.0.1" of "127.0.0.1:8420", "::1" of "[::1]:8420"; empty when it is neither.
std::string host_name(std::string_view host) {
    if (host.starts_with('[')) {
        const auto end = host.find(']');
        return end == std::string_view::npos ? "" : std::string(host.substr(1, end - 1));
    }
    return std::string(host.substr(0, host.find(':')));
}

bool is_ip_address(const std::string& name) {
    std::array<unsigned char, sizeof(in6_addr)> bytes{};
    return ::inet_pton(AF_INET, name.c_str(), bytes.data()) == 1 ||
           ::inet_pton(AF_INET6, name.c_str(), bytes.data()) == 1;
}

std::string lower_case(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return text;
}

bool is_this_machine(const std::string& name) {
    std::array<char, 256> own{};
    return ::gethostname(own.data(), own.size() - 1) == 0 && name == lower_case(own.data());
}

bool host_is_ours(const Gate& gate, std::string_view host) {
    const std::string name = lower_case(host_name(host));
    if (name == "localhost" || is_ip_address(name)) return true;
    return !gate.loopback && !name.empty() && is_this_machine(name);
}

bool same_site(const Request& request) {
    const auto origin = request.header("origin"), site = request.header("sec-fetch-site");
    if (!origin.empty() && origin != "http://" + std::string(request.header("host"))) return false;
    return site.empty() || site == "same-origin" || site == "none";
}

// A link from elsewhere may open the page itself, nothing more.
bool is_navigation(const Request& request) {
    return request.method == "GET" && request.header("sec-fetch-mode") == "navigate" &&
           request.header("origin").empty() && !request.path.starts_with("/api/");
}

std::string cookie_of(const Request& request) {
    for (const auto& pair : split(request.header("cookie"), ';')) {
        const auto text = trim(pair);
        if (text.starts_with(cookie_name) && text.substr(cookie_name.size()).starts_with('='))
            return std::string(text.substr(cookie_name.size() + 1));
    }
    return "";
}

bool shows_token(const Request& request, const std::string& token) {
    constexpr std::string_view bearer = "Bearer ";
    const auto authorization = request.header("authorization");
    if (authorization.starts_with(bearer)) return same_secret(authorization.substr(bearer.size()), token);
    return same_secret(cookie_of(request), token);
}

Response enter(const std::string& token) {
    Response response{see_other, "text/plain", "open /\n"};
    response.headers.emplace_back(
        "Set-Cookie", fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", cookie_name, token));
    response.headers.emplace_back("Location", "/");
    return response;
}

}  // namespace

bool same_secret(std::string_view given, std::string_view secret) {
    unsigned different = given.size() == secret.size() && !secret.empty() ? 0 : 1;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const char other = secret.empty() ? '\0' : secret[i % secret.size()];
        different |= static_cast<unsigned char>(given[i] ^ other);
    }
    return different == 0;
}

std::string random_token() {
    std::array<unsigned char, 16> bytes{};
    const auto got = ::getrandom(bytes.data(), bytes.size(), 0);
    PLIMSOLL_CHECK(got == static_cast<ssize_t>(bytes.size()), "the system gives no random numbers");
    std::string token;
    for (const auto byte : bytes) token += fmt::format("{:02x}", byte);
    return token;
}

std::optional<Response> Gate::refused(const Request& request) const {
    if (!host_is_ours(*this, request.header("host")))
        return refusal(misdirected, "Host", "must be localhost or an IP address of this machine");
    if (!same_site(request) && !is_navigation(request))
        return refusal(forbidden, "Origin", "must be this server's own page");
    if (token.empty()) return std::nullopt;
    const auto* given = request.parameter("token");
    if (given != nullptr && request.path == "/" && same_secret(*given, token)) return enter(token);
    if (shows_token(request, token)) return std::nullopt;
    return refusal(unauthorised, "token", "missing or wrong: open the address that plimsoll serve printed");
}

}  // namespace plimsoll::server

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "plimsoll/server/http/message.h"

// Who may ask: the checks that every request passes before anything of it is used.
namespace plimsoll::server {

struct Gate {
    bool loopback = true;  // listens on this machine alone
    std::string token;     // that every request must show; empty: none

    // The answer to a request that must not pass, or nothing. Refused are
    //  - a Host that is a name other than localhost and this machine's: a page elsewhere that made its own
    //  name point
    //    here (DNS rebinding) has such a Host, and no page can have an IP address of ours as its name;
    //  - an Origin that is not that Host, and a Sec-Fetch-Site that is neither same-origin nor none;
    //  - any request without the token, where there is one.
    // An address with the right ?token= is answered by a cookie and the same address without it.
    [[nodiscard]] std::optional<Response> refused(const Request& request) const;
};

// Whether two texts are the same, in a time that depends on the length of `given` alone.
bool same_secret(std::string_view given, std::string_view secret);

// 32 hexadecimal digits from the system's random numbers.
std::string random_token();

}  // namespace plimsoll::server

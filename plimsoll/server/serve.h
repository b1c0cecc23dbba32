#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "plimsoll/base/result.h"
#include "plimsoll/server/http/gate.h"

namespace plimsoll::server {

struct ServeSettings {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8420;                          // 0: any that is free
    std::string runs = "runs";                          // the folder of runs
    std::size_t at_once = 2;                            // computations
    std::uint64_t max_memory = std::uint64_t{4} << 30;  // of each of them
    std::function<void(const std::string& address, bool has_page)>
        listening;  // told once, with the address to open
};

// Serves the page and the API until a signal asks it to end. On any address but this machine's own every
// request must show a token, which the address that `listening` is told contains.
Status serve(const ServeSettings& settings);

// Whether only this machine can reach the address.
bool is_loopback(const std::string& address);

}  // namespace plimsoll::server

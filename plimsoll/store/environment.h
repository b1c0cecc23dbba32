#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/json.h"

namespace plimsoll::store {

// What the machine does not know about itself; the caller fills it in.
struct SessionFacts {
    std::string program, version;                                // "plimsoll-torch", "0.1.0"
    std::string device;                                          // "cpu", "cuda"
    int threads = 0;                                             // that the program uses
    std::vector<std::pair<std::string, std::string>> libraries;  // {"libtorch", "1.13.1"}
    std::vector<std::string> command;                            // as it was typed
};

// One session for environment.json: these facts with the time (UTC), host, system, processor, SIMD sets,
// cores, memory and GPUs of this machine.
Json environment_now(const SessionFacts& facts);

}  // namespace plimsoll::store

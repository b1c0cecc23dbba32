#pragma once

#include <cstdint>
#include <string>

namespace plimsoll::store {

// One process of one machine, as another process can recognise it later.
struct ProcessIdentity {
    std::string host;
    std::string system;        // this boot and these process numbers; empty where the system does not say
    std::int64_t process = 0;  // 0: unknown
    std::uint64_t start = 0;   // clock ticks from the boot: tells it from a later one with the same number

    bool operator==(const ProcessIdentity&) const = default;
};

ProcessIdentity this_process();

// Whether it runs, or ran, where this process does: same boot, same process numbers.
bool is_on_this_system(const ProcessIdentity& who);

// Proved to have ended: it was on this system, and its number is free, a zombie's or another process's.
bool is_gone(const ProcessIdentity& who);

// "process 71 on node3".
std::string described(const ProcessIdentity& who);

std::string host_name();

}  // namespace plimsoll::store

#pragma once

#include <string>

namespace plimsoll::arch {

// One key of a family, for help.
struct KeyInfo {
    std::string name;
    std::string allowed;   // "1..100000", "on|off", "layer|rms|none"
    std::string fallback;  // the default in words; empty when the key is required
    std::string meaning;
};

}  // namespace plimsoll::arch

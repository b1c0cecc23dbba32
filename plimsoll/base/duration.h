#pragma once

#include <string>

namespace plimsoll {

// "45 s", "12 min", "3.2 h", "2.5 days".
std::string duration_text(double seconds);

}  // namespace plimsoll

#pragma once

#include <string>

namespace plimsoll::fit {

// A trainer that says of its steps that so many took a second; the runs themselves are played.
inline std::string timed_script(const std::string& steps_per_second = "100") {
    return "steps=$(sed -n 's/^steps = //p' \"$2\")\n"
           "awk -v steps=\"$steps\" 'BEGIN { printf \"{\\\"seconds\\\": %f}\\n\", steps / " +
           steps_per_second + " }'\n";
}

}  // namespace plimsoll::fit

#include "plimsoll/base/duration.h"

#include "plimsoll/base/format.h"

namespace plimsoll {

std::string duration_text(double seconds) {
    constexpr double minute = 60, hour = 3600, day = 86400;
    if (seconds < 1.5 * minute) return fmt::format("{:.0f} s", seconds);
    if (seconds < 1.5 * hour) return fmt::format("{:.0f} min", seconds / minute);
    if (seconds < 2 * day) return fmt::format("{:.1f} h", seconds / hour);
    return fmt::format("{:.1f} days", seconds / day);
}

}  // namespace plimsoll

#include "plimsoll/fit/decide/difference_text.h"

#include <cmath>

#include "plimsoll/base/format.h"

namespace plimsoll::fit {

std::string with_noise(double difference, double half_width, const DataLook& look) {
    if (!std::isfinite(half_width)) return difference_text(difference, look) + " (noise not known)";
    const double scale = is_share(look.goal) ? 100 : 1;
    return fmt::format("{:.3g} +- {}", scale * difference, difference_text(half_width, look));
}

std::string difference_text(double difference, const DataLook& look) {
    if (look.goal == Goal::explained_variance)
        return fmt::format("{:.3g} points of the variance", 100 * difference);
    if (look.goal == Goal::accuracy) return fmt::format("{:.3g} points of accuracy", 100 * difference);
    return fmt::format("{:.3g} {}", difference, value_unit(look));
}

}  // namespace plimsoll::fit

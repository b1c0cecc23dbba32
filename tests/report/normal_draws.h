#pragma once

#include <cmath>
#include <numbers>

#include "plimsoll/base/random.h"

namespace plimsoll::report {

// One number from the normal distribution with mean 0 and deviation 1 (Box and Muller).
inline double normal_draw(RandomStream& random) {
    const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
    return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

}  // namespace plimsoll::report

#pragma once

#include <string>

#include "plimsoll/fit/look/data_look.h"

// Differences of values in words.
namespace plimsoll::fit {

// "0.012 +- 0.004 bits per byte".
std::string with_noise(double difference, double half_width, const DataLook& look);

// "0.012 bits per byte", "1.3 points of accuracy".
std::string difference_text(double difference, const DataLook& look);

}  // namespace plimsoll::fit

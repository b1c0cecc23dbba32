#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/json.h"

namespace plimsoll::cli {

// The loss of a run's rows as a plot of `height` lines for a terminal; empty with less than two of them.
std::string loss_plot(const std::vector<Json>& rows, int width, int height);

}  // namespace plimsoll::cli

#pragma once

#include <string>

#include "plimsoll/lab/jobs/calibrate.h"

namespace plimsoll::cli {

// The jobs as a table, what they add up to, and what a person should know; `cost` is null without a
// calibration.
void print_plan(const lab::Plan& plan, const lab::Calibration* cost);

}  // namespace plimsoll::cli

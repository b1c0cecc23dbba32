#pragma once

#include "plimsoll/base/json.h"

namespace plimsoll::testing {

// That a figure is what Vega-Lite needs: every field of an encoding is in every datum, numbers are finite,
// types are known.
void expect_figure(const Json& figure);

}  // namespace plimsoll::testing

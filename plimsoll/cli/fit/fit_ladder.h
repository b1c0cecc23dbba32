#pragma once

#include "plimsoll/base/result.h"
#include "plimsoll/cli/fit/fit_flags.h"
#include "plimsoll/fit/fit.h"

namespace plimsoll::cli {

// `fit --target`: the races of three sizes as they go, then the law. 75 when it was stopped.
Result<int> run_ladder(const FitFlags& flags, const fit::FitRequest& request, const fit::FitOptions& options);

}  // namespace plimsoll::cli

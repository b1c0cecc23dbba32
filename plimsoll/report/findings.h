#pragma once

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "plimsoll/report/figure.h"
#include "plimsoll/report/sources.h"
#include "plimsoll/report/statistics/statistics.h"

namespace plimsoll::report {

// Whether the truth, which lies in `found`, lies in what was predicted: as predicted when all of `found`
// does, against when none of it does, otherwise inside the noise. Ends may be infinite; `predicted` is open
// where it is infinite and closed elsewhere.
Outcome judged(const Interval& found, const Interval& predicted);

// What a prediction says of the difference a - b, when less than `margin` counts as none. For a < b it is
// everything below -margin; a margin itself is no difference.
Outcome judged_difference(const Interval& difference, Prediction prediction, double margin);

// Is a different from b? The pairs of rows that match, the mean of their differences with Student's interval.
Result<Judgement> contrast_finding(const ContrastSpec& spec, const Sources& sources);

// Where is the curve best? One finding for each combination of `by`.
Result<std::vector<Judgement>> optimum_findings(const OptimumSpec& spec, const Sources& sources);

}  // namespace plimsoll::report

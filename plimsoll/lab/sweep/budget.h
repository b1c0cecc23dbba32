#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plimsoll/lab/sweep/sweep.h"

namespace plimsoll::lab {

// A value of the adjusted field and what the network counts then, in the budget's way.
struct Fit {
    std::int64_t value = 0;
    arch::Count counted;
};

// The values next to a budget; one of them may not exist.
struct Nearest {
    std::optional<Fit> below, above;  // below: at most the budget

    // The nearer of the two, the smaller when they are equally near; `at_most`: the one below.
    [[nodiscard]] const Fit* best(std::int64_t parameters, bool at_most) const;
};

// Looks for the values of the budget's field next to `parameters`, by bisection: the count must not fall as
// the field grows. Values that the spec refuses are passed over. An error when it refuses all, or when the
// budget's way of counting does not know the network.
Result<Nearest> nearest(const std::vector<Setting>& settings, const Budget& budget, std::int64_t parameters);

// Whether a fit is within the tolerance of a budget.
bool meets(const Fit& fit, std::int64_t parameters, double within);

// "48 gives 60,192 (-6.0 %), 52 gives 69,004 (+7.8 %)".
std::string nearest_text(const Nearest& nearest, const Budget& budget, std::int64_t parameters);

}  // namespace plimsoll::lab

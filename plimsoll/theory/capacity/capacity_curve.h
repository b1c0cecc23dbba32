#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"
#include "plimsoll/theory/capacity/capacity_enclosure.h"

namespace plimsoll::theory {

// A parameter budget: 12 L d^2 in the blocks and V d in the embedding.
struct Budget {
    std::int64_t parameters = 0;
    std::optional<std::int64_t> context;  // none: N >= 2d at every width
    std::optional<std::int64_t> vocab;    // none: no embedding is paid for
};

// The widest network of one depth that the budget pays for.
struct CapacityPoint {
    std::int64_t depth = 0, width = 0, parameters = 0;
    double kappa = 0;  // log_3 of the repaired bound, in doubles
    // log_3 of what almost every network with one head reaches on continuous inputs: in doubles, certified
    // from below where `certified` is set (docs/bounds/att-transfers.md).
    double proved_lower = 0;
    double published_threshold = 0;  // log_3 d
    double knee = 0;                 // T(d, N)
    std::optional<Enclosure> certified;
};

// Capacity against depth at a fixed budget, and the depths at which its reading changes.
struct CapacityCurve {
    Budget budget;
    std::vector<CapacityPoint> points;
    std::optional<std::int64_t> past_threshold;  // first depth at or past log_3 d
    std::optional<std::int64_t> past_knee;       // first depth at or past T(d, N)
    std::optional<double> string_cap;            // (N/2) log_3 V
    std::optional<std::int64_t> saturated;       // first depth whose capacity reaches the cap (L_sat)
};

// Every depth up to `deepest`; the depths of `certify` get certified enclosures too. An error when not even
// one layer of width 1 fits the budget.
Result<CapacityCurve> capacity_curve(const Budget& budget, std::int64_t deepest,
                                     const std::vector<std::int64_t>& certify,
                                     const ProgressCallback& progress = {});

// The largest d with 12 L d^2 + V d <= P; 0 when there is none.
std::int64_t width_for(const Budget& budget, std::int64_t depth);

}  // namespace plimsoll::theory

#pragma once

#include "plimsoll/advise/cost.h"

namespace plimsoll::advise {

// One shape of a scan.
struct Candidate {
    Layout layout;
    std::int64_t parameters = 0;
    double capacity = 0;  // log_3
    double line = 0;      // layout_line of it
    bool widest = true;   // of its depth at the budget; false: narrowed so that the depth is in the band

    [[nodiscard]] double depth_over_line() const { return static_cast<double>(layout.depth) / line; }
};

// Depths as multiples of the line.
struct DepthWindow {
    double low = 1, high = 4;              // R3: from the knee to where depth has been trained well
    double band_low = 1.5, band_high = 2;  // the default part

    [[nodiscard]] bool holds(const Candidate& shape) const;
    [[nodiscard]] bool band_holds(const Candidate& shape) const;
};

// R3 for transformers, Navon's window for mixers.
DepthWindow window_of(AdviceFamily family);

// Capacity and line of one layout.
Candidate evaluated(const CostModel& costs, const Layout& layout);

// For each depth the widest network of the budget and, where that one is too wide for its depth to lie in the
// band, the widest one that is not. Depths beyond `deepest` are left out.
std::vector<Candidate> scan_shapes(const CostModel& costs, const DepthWindow& window,
                                   std::int64_t deepest = deepest_scanned);

}  // namespace plimsoll::advise

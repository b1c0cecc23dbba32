#pragma once

#include "plimsoll/advise/cost.h"
#include "plimsoll/advise/load_line.h"

namespace plimsoll::advise {

// One shape of a scan.
struct ScannedShape {
    Layout layout;
    std::int64_t parameters = 0;
    double capacity = 0;    // log_3
    double line = 0;        // layout_line of it
    double percent = 0;     // shape_percent of it: what it costs in loss; 0 for mixers
    DepthCost cost;         // of its depth beside the best of its size; 0 for mixers
    bool in_band = true;    // in the valley; a mixer: in Navon's window
    bool in_window = true;  // in what may be the valley; a mixer: the same
    bool widest = true;     // of its depth at the budget; false: a mixer narrowed into its window

    [[nodiscard]] double depth_over_line() const { return static_cast<double>(layout.depth) / line; }
};

// Navon's window for mixers: blocks over log2 of the channels.
constexpr double mixer_window_low = 1, mixer_window_high = 2;

// Depths around a shape as multiples of its line: what may be the valley, and the valley (valley_at); a
// mixer's window twice.
struct DepthWindow {
    double low = 1, high = 2, band_low = 1, band_high = 2;
};
DepthWindow window_at(const AdviceRequest& request, const Layout& layout);

// Capacity and line of one layout.
ScannedShape evaluated(const CostModel& costs, const Layout& layout);

// For each depth the widest network of the budget; for a mixer that is too wide for its depth to lie in the
// window, also the widest one that is not. Depths beyond `deepest` are left out.
std::vector<ScannedShape> scan_shapes(const CostModel& costs, std::int64_t deepest = deepest_scanned);

}  // namespace plimsoll::advise

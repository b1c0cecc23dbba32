#include "plimsoll/advise/candidates.h"

#include "plimsoll/advise/shape_capacity.h"

namespace plimsoll::advise {
namespace {

constexpr double rounding = 1e-9;

bool between(double value, double low, double high) {
    return value >= low - rounding && value <= high + rounding;
}

// The widest allowed width below `width` at which `depth` is at least band_low times the line; 0: none. The
// line grows with the width.
std::int64_t narrowed(const CostModel& costs, const DepthWindow& window, std::int64_t depth,
                      std::int64_t width) {
    const std::int64_t step = costs.request().multiple_of;
    const auto deep_enough = [&](std::int64_t steps) {
        const double line = layout_line(costs.request(), costs.layout(depth, steps * step));
        return static_cast<double>(depth) >= window.band_low * line - rounding;
    };
    std::int64_t low = 0, high = width / step + 1;
    while (high - low > 1) {
        const std::int64_t middle = (low + high) / 2;
        (deep_enough(middle) ? low : high) = middle;
    }
    return costs.allowed_up_to(low * step);
}

}  // namespace

bool DepthWindow::holds(const Candidate& shape) const { return between(shape.depth_over_line(), low, high); }

bool DepthWindow::band_holds(const Candidate& shape) const {
    return between(shape.depth_over_line(), band_low, band_high);
}

DepthWindow window_of(AdviceFamily family) {
    if (family == AdviceFamily::mixer) return {1, 2, 1, 2};
    return {};
}

Candidate evaluated(const CostModel& costs, const Layout& layout) {
    Candidate shape;
    shape.layout = layout;
    shape.parameters = costs.parameters(layout);
    shape.capacity = layout_capacity(costs.request(), layout);
    shape.line = layout_line(costs.request(), layout);
    return shape;
}

std::vector<Candidate> scan_shapes(const CostModel& costs, const DepthWindow& window, std::int64_t deepest) {
    std::vector<Candidate> shapes;
    for (std::int64_t depth = 1; depth <= deepest; ++depth) {
        const std::int64_t width = costs.widest(depth, costs.request().parameters);
        if (width < 1) break;
        shapes.push_back(evaluated(costs, costs.layout(depth, width)));
        if (shapes.back().depth_over_line() >= window.band_low) continue;
        const std::int64_t narrow = narrowed(costs, window, depth, width);
        if (narrow < 1) continue;
        shapes.push_back(evaluated(costs, costs.layout(depth, narrow)));
        shapes.back().widest = false;
    }
    return shapes;
}

}  // namespace plimsoll::advise

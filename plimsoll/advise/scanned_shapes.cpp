#include "plimsoll/advise/scanned_shapes.h"

#include "plimsoll/advise/shape_capacity.h"

namespace plimsoll::advise {
namespace {

constexpr double rounding = 1e-9;

bool between(double value, double low, double high) {
    return value >= low - rounding && value <= high + rounding;
}

// The widest allowed width below `width` at which a mixer of `depth` blocks is deep enough for its window; 0:
// none. The line grows with the width.
std::int64_t narrowed(const CostModel& costs, std::int64_t depth, std::int64_t width) {
    const std::int64_t step = costs.request().multiple_of;
    const auto deep_enough = [&](std::int64_t steps) {
        const double line = layout_line(costs.request(), costs.layout(depth, steps * step));
        return static_cast<double>(depth) >= mixer_window_low * line - rounding;
    };
    std::int64_t low = 0, high = width / step + 1;
    while (high - low > 1) {
        const std::int64_t middle = (low + high) / 2;
        (deep_enough(middle) ? low : high) = middle;
    }
    return costs.allowed_up_to(low * step);
}

void place_mixer(ScannedShape& shape) {
    shape.in_band = between(shape.depth_over_line(), mixer_window_low, mixer_window_high);
    shape.in_window = shape.in_band;
}

void place_transformer(ScannedShape& shape) {
    const auto depth = static_cast<double>(shape.layout.depth),
               width = static_cast<double>(shape.layout.width);
    shape.percent = shape_percent(line_constants(), depth, width);
    shape.cost = depth_cost(depth, width);
    shape.in_band = shape.cost.percent <= valley_percent;
    shape.in_window = shape.cost.low() <= valley_percent;
}

}  // namespace

DepthWindow window_at(const AdviceRequest& request, const Layout& layout) {
    if (request.family == AdviceFamily::mixer)
        return {mixer_window_low, mixer_window_high, mixer_window_low, mixer_window_high};
    const Valley valley =
        valley_at(standard_size(static_cast<double>(layout.depth), static_cast<double>(layout.width)));
    return {valley.surely_low / valley.best, valley.surely_high / valley.best, valley.low / valley.best,
            valley.high / valley.best};
}

ScannedShape evaluated(const CostModel& costs, const Layout& layout) {
    ScannedShape shape;
    shape.layout = layout;
    shape.parameters = costs.parameters(layout);
    shape.capacity = layout_capacity(costs.request(), layout);
    shape.line = layout_line(costs.request(), layout);
    costs.request().family == AdviceFamily::mixer ? place_mixer(shape) : place_transformer(shape);
    return shape;
}

std::vector<ScannedShape> scan_shapes(const CostModel& costs, std::int64_t deepest) {
    const bool mixer = costs.request().family == AdviceFamily::mixer;
    std::vector<ScannedShape> shapes;
    for (std::int64_t depth = 1; depth <= deepest; ++depth) {
        const std::int64_t width = costs.widest(depth, costs.request().parameters);
        if (width < 1) break;
        shapes.push_back(evaluated(costs, costs.layout(depth, width)));
        if (!mixer || shapes.back().depth_over_line() >= mixer_window_low) continue;
        const std::int64_t narrow = narrowed(costs, depth, width);
        if (narrow < 1) continue;
        shapes.push_back(evaluated(costs, costs.layout(depth, narrow)));
        shapes.back().widest = false;
    }
    return shapes;
}

}  // namespace plimsoll::advise

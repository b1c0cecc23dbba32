#include "plimsoll/theory/capacity/capacity_curve.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/theory/attainment/attained.h"
#include "plimsoll/theory/capacity/fast_capacity.h"

namespace plimsoll::theory {
namespace {

using Wide = __int128;

Wide parameters_of(const Budget& budget, std::int64_t depth, std::int64_t width) {
    return static_cast<Wide>(12) * depth * width * width +
           static_cast<Wide>(budget.vocab.value_or(0)) * width;
}

AttainedShape one_head(const Budget& budget, std::int64_t depth, std::int64_t width) {
    return {depth, width, 1, width, budget.context.value_or(2 * width), width};
}

CapacityPoint point_at(const Budget& budget, std::int64_t depth, std::int64_t width) {
    const auto d = static_cast<double>(width);
    const double context = static_cast<double>(budget.context.value_or(2 * width));
    CapacityPoint point;
    point.depth = depth;
    point.width = width;
    point.parameters = static_cast<std::int64_t>(parameters_of(budget, depth, width));
    point.kappa = fast::capacity_log3(static_cast<double>(depth), d, context);
    point.proved_lower = fast::attained_log3(one_head(budget, depth, width));
    point.published_threshold = std::log(d) / std::log(3.0);
    point.knee = fast::knee_depth(d, context);
    return point;
}

template <class Predicate>
std::optional<std::int64_t> first_depth(const CapacityCurve& curve, Predicate holds) {
    const auto found = std::find_if(curve.points.begin(), curve.points.end(), holds);
    return found == curve.points.end() ? std::nullopt : std::optional(found->depth);
}

void certify_point(const Budget& budget, CapacityPoint& point) {
    point.certified = enclose_capacity(point.depth, point.width, budget.context.value_or(2 * point.width));
    const auto attained = attained_log3(one_head(budget, point.depth, point.width), 64);
    point.proved_lower = attained ? attained->log3.lower() : 0;
}

void add_marks(CapacityCurve& curve) {
    const auto depth_of = [](const CapacityPoint& point) { return static_cast<double>(point.depth); };
    curve.past_threshold =
        first_depth(curve, [&](const auto& point) { return depth_of(point) >= point.published_threshold; });
    curve.past_knee = first_depth(curve, [&](const auto& point) { return depth_of(point) >= point.knee; });
    if (!curve.budget.context || !curve.budget.vocab) return;
    const double cap = string_cap_log3(*curve.budget.context, *curve.budget.vocab, 64).middle();
    curve.string_cap = cap;
    curve.saturated = first_depth(curve, [&](const auto& point) { return point.kappa >= cap; });
}

}  // namespace

std::int64_t width_for(const Budget& budget, std::int64_t depth) {
    std::int64_t low = 0, high = 1;
    while (parameters_of(budget, depth, high) <= budget.parameters) high *= 2;
    while (high - low > 1) {
        const std::int64_t middle = (low + high) / 2;
        (parameters_of(budget, depth, middle) <= budget.parameters ? low : high) = middle;
    }
    return low;
}

Result<CapacityCurve> capacity_curve(const Budget& budget, std::int64_t deepest,
                                     const std::vector<std::int64_t>& certify,
                                     const ProgressCallback& progress) {
    if (width_for(budget, 1) < 1) {
        return bad_input("params", fmt::format("{} is less than one layer of width 1 ({})", budget.parameters,
                                               static_cast<std::int64_t>(parameters_of(budget, 1, 1))));
    }
    CapacityCurve curve;
    curve.budget = budget;
    for (std::int64_t depth = 1; depth <= deepest; ++depth) {
        const std::int64_t width = width_for(budget, depth);
        if (width < 1) break;
        curve.points.push_back(point_at(budget, depth, width));
    }
    for (std::size_t i = 0; i < certify.size(); ++i) {
        if (progress) progress(i, certify.size());
        const auto index = static_cast<std::size_t>(certify[i] - 1);
        if (certify[i] < 1 || index >= curve.points.size()) continue;
        CapacityPoint& point = curve.points[index];
        certify_point(budget, point);
    }
    add_marks(curve);
    return curve;
}

}  // namespace plimsoll::theory

#include "plimsoll/advise/choice.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "plimsoll/advise/rivals.h"
#include "plimsoll/advise/shape_capacity.h"
#include "plimsoll/arch/count.h"
#include "plimsoll/base/format.h"

namespace plimsoll::advise {
namespace {

// A shape should spend this share of what the valley can spend: the load line compares shapes of one size.
constexpr double spend_wanted = 0.97, spend_accepted = 0.9;

using Shapes = std::vector<ScannedShape>;
using Test = std::function<bool(const ScannedShape&)>;

Shapes those(const Shapes& shapes, const Test& test) {
    Shapes kept;
    std::copy_if(shapes.begin(), shapes.end(), std::back_inserter(kept), test);
    return kept;
}

Shapes spending(const Shapes& shapes, double share) {
    std::int64_t most = 0;
    for (const auto& shape : shapes) most = std::max(most, shape.parameters);
    return those(shapes, [&](const auto& s) {
        return static_cast<double>(s.parameters) >= share * static_cast<double>(most);
    });
}

ScannedShape most_capacity(const Shapes& shapes) {
    return *std::max_element(shapes.begin(), shapes.end(), [](const auto& a, const auto& b) {
        return std::pair(a.capacity, -a.parameters) < std::pair(b.capacity, -b.parameters);
    });
}

double least_percent(const Shapes& shapes) {
    return std::ranges::min(shapes, {}, &ScannedShape::percent).percent;
}

// What ties are broken by; less is better. At one size the wider shape takes the fewest FLOPs; the FLOPs
// themselves would prefer whichever shape leaves the most of the budget.
double price(const CostModel& costs, const ScannedShape& shape) {
    switch (costs.request().by) {
        case TieBreak::flops:
            return -static_cast<double>(shape.layout.width);
        case TieBreak::latency:
            return static_cast<double>(shape.layout.depth);
        case TieBreak::memory:
            return costs.kv_bytes_per_token(shape.layout);
    }
    return 0;
}

// Of the shapes that tie with the best expected loss the cheapest, then the one of less expected loss.
ScannedShape cheapest_tie(const CostModel& costs, const Shapes& shapes) {
    const double allowed = costs.request().by == TieBreak::flops ? tie_percent : traded_percent;
    const Shapes ties = those(
        shapes, [&, best = least_percent(shapes)](const auto& s) { return s.percent <= best + allowed; });
    return *std::min_element(ties.begin(), ties.end(), [&](const auto& a, const auto& b) {
        return std::pair(price(costs, a), a.percent) < std::pair(price(costs, b), b.percent);
    });
}

// Of the valley what spends the budget, with an input whose rank is at least half the width (R7): as much of
// that as can be had at once.
Shapes preferred(const CostModel& costs, const Shapes& valley) {
    for (const double spend : {spend_wanted, spend_accepted}) {
        const auto kept = those(spending(valley, spend),
                                [&](const auto& s) { return rank_suffices(costs.request(), s.layout); });
        if (!kept.empty()) return kept;
    }
    return spending(valley, spend_wanted);
}

// Whether a wider shape of less expected loss was passed over for the rank of its input (R7).
bool narrowed_by_rank(const CostModel& costs, const Shapes& valley, const ScannedShape& answer) {
    const Shapes spent = spending(valley, spend_accepted);
    return std::ranges::any_of(spent, [&](const auto& s) {
        return s.percent + tie_percent < answer.percent && s.layout.width > answer.layout.width &&
               !rank_suffices(costs.request(), s.layout);
    });
}

Choice choose_transformer(const CostModel& costs, const Shapes& shapes) {
    const Shapes valley = those(shapes, [](const auto& s) { return s.in_band; });
    if (!valley.empty()) {
        Choice choice{cheapest_tie(costs, preferred(costs, valley)), DecidedBy::load_line};
        choice.narrowed_by_rank = narrowed_by_rank(costs, valley, choice.shape);
        return choice;
    }
    const auto nearest = std::min_element(shapes.begin(), shapes.end(), [](const auto& a, const auto& b) {
        return a.cost.percent < b.cost.percent;
    });
    return {*nearest, DecidedBy::outside};
}

Choice choose_mixer(const Shapes& shapes) {
    const auto band = those(shapes, [](const auto& s) { return s.in_band; });
    if (!band.empty()) return {most_capacity(band), DecidedBy::capacity};
    return {most_capacity(shapes), DecidedBy::outside};
}

// Gathers shapes that are not there yet.
class ShapeList {
  public:
    ShapeList(const CostModel& costs, const Layout& answer, const Reference& reference)
        : costs_(costs), answer_(answer), reference_(reference) {}

    void add(const Layout& layout, std::string label) {
        const auto same = [&](const auto& r) { return r.layout == layout; };
        if (layout == answer_ || std::any_of(reports_.begin(), reports_.end(), same)) return;
        reports_.push_back(report_shape(costs_, layout, reference_));
        reports_.back().label = std::move(label);
    }
    std::vector<ShapeReport> take() { return std::move(reports_); }

  private:
    const CostModel& costs_;
    const Layout& answer_;
    const Reference& reference_;
    std::vector<ShapeReport> reports_;
};

// The widest shapes of half and twice the answer's depth, at both ends of the valley and at the knee.
void add_depths(ShapeList& list, const Shapes& shapes, const Layout& answer) {
    const auto add_first = [&](std::string label, const Test& test) {
        const auto found = std::find_if(shapes.begin(), shapes.end(), test);
        if (found != shapes.end()) list.add(found->layout, std::move(label));
    };
    add_first("shallow end", [](const auto& s) { return s.in_band; });
    add_first("half as deep", [&](const auto& s) { return 2 * s.layout.depth >= answer.depth; });
    add_first("on the line", [](const auto& s) { return s.depth_over_line() >= 1; });
    add_first("twice as deep", [&](const auto& s) { return s.layout.depth >= 2 * answer.depth; });
    const auto last = std::find_if(shapes.rbegin(), shapes.rend(), [](const auto& s) { return s.in_band; });
    if (last != shapes.rend()) list.add(last->layout, "deep end");
}

void add_mixers(ShapeList& list, const Shapes& shapes) {
    const auto widest = those(shapes, [](const auto& s) { return s.widest; });
    for (const double multiple : {1.0, 1.25, 1.5, 1.75, 2.0}) {
        const auto first = std::find_if(widest.begin(), widest.end(),
                                        [&](const auto& s) { return s.depth_over_line() >= multiple; });
        if (first != widest.end()) list.add(first->layout, fmt::format("at {:g} log2 C", multiple));
    }
}

}  // namespace

Choice choose_shape(const CostModel& costs, const Shapes& shapes) {
    PLIMSOLL_CHECK(!shapes.empty(), "nothing to choose from");
    return costs.request().family == AdviceFamily::mixer ? choose_mixer(shapes)
                                                         : choose_transformer(costs, shapes);
}

ShapeReport report_shape(const CostModel& costs, const Layout& layout, const Reference& reference) {
    const AdviceRequest& request = costs.request();
    ShapeReport report;
    report.layout = layout;
    report.spec = costs.spec(layout);
    arch::CountOptions options;
    options.context = request.vocab > 0 ? request.context : 0;
    const auto counted = arch::count(report.spec, options);
    PLIMSOLL_CHECK(counted.ok(), counted.error().text());
    report.parameters = std::stoll(counted->parameters.text());
    report.embedding_parameters = std::stoll(counted->embedding.text());
    report.forward_flops = counted->forward_flops.real();
    report.training_flops = counted->training_flops.real();
    report.kv_bytes_per_token = counted->kv_bytes_per_token.real();
    report.capacity = layout_capacity(request, layout);
    report.capacity_share = report.capacity / reference.capacity;
    report.knee = layout_knee(request, layout);
    report.depth_over_knee = static_cast<double>(layout.depth) / report.knee;
    if (request.family == AdviceFamily::mixer) return report;
    const auto depth = static_cast<double>(layout.depth), width = static_cast<double>(layout.width);
    report.expected_loss = std::max(0.0, shape_percent(line_constants(), depth, width) - reference.percent);
    report.depth_cost = depth_cost(depth, width);
    if (request.vocab > 0)
        report.kaplan_loss_percent = kaplan_loss_percent(
            static_cast<double>(report.parameters - report.embedding_parameters), width / depth);
    return report;
}

std::vector<ShapeReport> nearby_shapes(const CostModel& costs, const Shapes& shapes, const Layout& answer,
                                       const Reference& reference) {
    ShapeList list(costs, answer, reference);
    if (costs.request().family == AdviceFamily::mixer) {
        add_mixers(list, shapes);
    } else {
        add_depths(list, shapes, answer);
    }
    return list.take();
}

}  // namespace plimsoll::advise

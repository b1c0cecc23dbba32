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

// In the flat region a shape should spend this share of what the window can spend; rather than leave the band
// it may spend the lesser one (10 % fewer parameters cost 0.8 % of loss by Kaplan's exponent 0.076, a depth
// of 2.9 T cost 1.4 %).
constexpr double spend_wanted = 0.97, spend_accepted = 0.9;

using Shapes = std::vector<Candidate>;
using Test = std::function<bool(const Candidate&)>;

Shapes those(const Shapes& shapes, const Test& test) {
    Shapes kept;
    std::copy_if(shapes.begin(), shapes.end(), std::back_inserter(kept), test);
    return kept;
}

std::int64_t most_spent(const Shapes& shapes) {
    std::int64_t most = 0;
    for (const auto& shape : shapes) most = std::max(most, shape.parameters);
    return most;
}

// Cheapest per parameter it spends; then fewest cached bytes, then the deeper one.
Candidate cheapest(const CostModel& costs, const Shapes& shapes) {
    const auto key = [&](const Candidate& shape) {
        const double parameters = static_cast<double>(shape.parameters);
        return std::tuple(costs.forward_flops(shape.layout) / parameters,
                          costs.kv_bytes_per_token(shape.layout) / parameters, -shape.layout.depth);
    };
    return *std::min_element(shapes.begin(), shapes.end(),
                             [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

Candidate most_capacity(const Shapes& shapes) {
    return *std::max_element(shapes.begin(), shapes.end(), [](const auto& a, const auto& b) {
        return std::pair(a.capacity, -a.parameters) < std::pair(b.capacity, -b.parameters);
    });
}

// Shapes of the window between which separation rank cannot choose: all reach the cap of their strings (R4).
Shapes flat_region(const CostModel& costs, const Shapes& shapes, const DepthWindow& window) {
    const auto cap = string_cap(costs.request());
    if (!cap) return {};
    return those(shapes, [&](const auto& s) { return window.holds(s) && s.capacity >= *cap; });
}

// Of the flat region what spends the budget, with an input that uses the width, in the band: as much of that
// as can be had at once.
Shapes preferred(const CostModel& costs, const Shapes& flat, const DepthWindow& window) {
    struct Wish {
        bool band, rank;
        double spend;
    };
    const auto most = static_cast<double>(most_spent(flat));
    for (const Wish& wish : {Wish{true, true, spend_wanted}, Wish{true, true, spend_accepted},
                             Wish{false, true, spend_wanted}, Wish{true, false, spend_wanted}}) {
        const auto kept = those(flat, [&](const auto& s) {
            return (!wish.band || window.band_holds(s)) &&
                   (!wish.rank || rank_suffices(costs.request(), s.layout)) &&
                   static_cast<double>(s.parameters) >= wish.spend * most;
        });
        if (!kept.empty()) return kept;
    }
    return those(flat,
                 [&](const auto& s) { return static_cast<double>(s.parameters) >= spend_wanted * most; });
}

std::string multiple_label(double multiple, const std::string& line) {
    return fmt::format("at {:g} {}", multiple, line);
}

}  // namespace

Choice choose_shape(const CostModel& costs, const Shapes& shapes, const DepthWindow& window) {
    PLIMSOLL_CHECK(!shapes.empty(), "nothing to choose from");
    const Shapes flat = flat_region(costs, shapes, window);
    if (!flat.empty()) return {cheapest(costs, preferred(costs, flat, window)), DecidedBy::cost};
    const auto band = those(shapes, [&](const auto& s) { return window.band_holds(s); });
    if (!band.empty()) return {most_capacity(band), DecidedBy::capacity};
    const auto wide = those(shapes, [&](const auto& s) { return window.holds(s); });
    if (!wide.empty()) return {most_capacity(wide), DecidedBy::capacity};
    return {most_capacity(shapes), DecidedBy::outside};
}

ShapeReport report_shape(const CostModel& costs, const Layout& layout, double best) {
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
    report.kv_bytes_per_token = counted->kv_bytes_per_token.real();
    report.capacity = layout_capacity(request, layout);
    report.capacity_share = report.capacity / best;
    report.knee = layout_knee(request, layout);
    report.depth_over_knee = static_cast<double>(layout.depth) / report.knee;
    if (request.vocab > 0) {
        report.kaplan_loss_percent =
            kaplan_loss_percent(static_cast<double>(report.parameters - report.embedding_parameters),
                                static_cast<double>(layout.width) / static_cast<double>(layout.depth));
    }
    return report;
}

std::vector<ShapeReport> nearby_shapes(const CostModel& costs, const Shapes& shapes, const Layout& answer,
                                       double best) {
    const bool mixer = costs.request().family == AdviceFamily::mixer;
    const std::vector<double> multiples =
        mixer ? std::vector{1.0, 1.25, 1.5, 1.75, 2.0} : std::vector{1.0, 1.5, 2.0, 3.0, 4.0};
    std::vector<ShapeReport> reports;
    const auto known = [&](const Layout& layout) {
        return layout == answer ||
               std::any_of(reports.begin(), reports.end(), [&](const auto& r) { return r.layout == layout; });
    };
    const auto add = [&](const Layout& layout, std::string label) {
        if (known(layout)) return;
        reports.push_back(report_shape(costs, layout, best));
        reports.back().label = std::move(label);
    };
    const auto widest = those(shapes, [](const auto& s) { return s.widest; });
    for (const double multiple : multiples) {
        const auto first = std::find_if(widest.begin(), widest.end(),
                                        [&](const auto& s) { return s.depth_over_line() >= multiple; });
        if (first != widest.end()) add(first->layout, multiple_label(multiple, mixer ? "log2 C" : "T"));
    }
    if (mixer) return reports;
    for (const auto size : costs.request().head_dims) {
        Layout other = answer;
        if (size == answer.head_dim || answer.width % size != 0) continue;
        other.head_dim = size;
        other.heads = answer.width / size;
        add(other, fmt::format("heads of {}", size));
    }
    return reports;
}

}  // namespace plimsoll::advise

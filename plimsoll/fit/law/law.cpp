#include "plimsoll/fit/law/law.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "plimsoll/advise/regret.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/base/random.h"

namespace plimsoll::fit {
namespace {

constexpr std::size_t draws_of_law = 2000;
constexpr std::uint64_t law_stream = 22;
constexpr double two_sided = 1.96;        // deviations of a 95 % interval
constexpr double least_deviation = 0.05;  // of ln depth: networks have whole layers
constexpr double least_law_depth = 0.5;   // draws below are no network
constexpr std::array shown_rules{"Levine's fitted law", "nanochat, 64 depth", "Kaplan's best aspect"};

double drawn_normal(RandomStream& random) {
    const double u = 1 - random.uniform(), v = random.uniform();
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

// Least squares of depth against ln width.
DepthLaw::Line line_through(const std::vector<double>& parameters, const std::vector<double>& depths,
                            double rows) {
    const double n = real(depths.size());
    double x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t i = 0; i < depths.size(); ++i) {
        const double log_width = std::log(width_at(parameters[i], depths[i], rows));
        x += log_width / n;
        y += depths[i] / n;
        xx += log_width * log_width / n;
        xy += log_width * depths[i] / n;
    }
    const double spread = xx - x * x;
    const double slope = spread > 0 ? (xy - x * y) / spread : 0;
    return {y - slope * x, slope};
}

// The depth on a line at so many parameters: where width and depth cost the budget.
double depth_on(const DepthLaw::Line& line, double parameters, double rows) {
    double low = 0, high = std::log(parameters);  // of ln width
    for (int step = 0; step < 60; ++step) {
        const double middle = (low + high) / 2, width = std::exp(middle);
        const double depth = std::max(least_law_depth, line.level + line.slope * middle);
        (12 * depth * width * width + rows * width <= parameters ? low : high) = middle;
    }
    return std::max(least_law_depth, line.level + line.slope * low);
}

Band band_of(double middle, std::vector<double> values) {
    std::ranges::sort(values);
    const auto place = [&](double share) {
        return values[static_cast<std::size_t>(share * real(values.size() - 1))];
    };
    return {middle, place(0.025), place(0.975)};
}

}  // namespace

double width_at(double parameters, double depth, double input_rows) {
    return (std::sqrt(input_rows * input_rows + 48 * depth * parameters) - input_rows) / (24 * depth);
}

Result<DepthLaw> DepthLaw::fit(const std::vector<SizePoint>& points, double input_rows) {
    std::vector<double> parameters, depths, deviations;
    for (const auto& point : points) {
        if (!point.known) continue;
        parameters.push_back(point.parameters);
        depths.push_back(point.depth);
        deviations.push_back(std::max(least_deviation, std::log(point.high / point.low) / (2 * two_sided)));
    }
    if (depths.size() < law_sizes_needed)
        return bad_input("target",
                         fmt::format("the best depth is known at {} of {} sizes, and a law needs {}",
                                     depths.size(), points.size(), law_sizes_needed));
    DepthLaw law;
    law.input_rows_ = input_rows;
    law.line_ = line_through(parameters, depths, input_rows);
    RandomStream random(law_stream, "fit/law");
    for (std::size_t draw = 0; draw < draws_of_law; ++draw) {
        std::vector<double> drawn;
        for (std::size_t i = 0; i < depths.size(); ++i)
            drawn.push_back(
                std::max(least_law_depth, depths[i] * std::exp(deviations[i] * drawn_normal(random))));
        law.draws_.push_back(line_through(parameters, drawn, input_rows));
    }
    return law;
}

TargetShape DepthLaw::at(double parameters) const {
    std::vector<double> depths, widths;
    for (const auto& draw : draws_) {
        depths.push_back(depth_on(draw, parameters, input_rows_));
        widths.push_back(width_at(parameters, depths.back(), input_rows_));
    }
    const double depth = depth_on(line_, parameters, input_rows_);
    return {parameters, band_of(depth, std::move(depths)),
            band_of(width_at(parameters, depth, input_rows_), std::move(widths))};
}

// The rules speak of parameters outside of tables, which depend on the width and so on the depth.
std::vector<RuleShape> rule_shapes(double parameters, double input_rows) {
    constexpr int rounds = 20;
    std::vector<RuleShape> shapes;
    for (const auto& rule : advise::rival_depth_rules()) {
        if (std::ranges::find(shown_rules, rule.name) == shown_rules.end()) continue;
        double depth = rule.depth(parameters);
        for (int round = 0; round < rounds; ++round)
            depth =
                rule.depth(std::max(1.0, parameters - input_rows * width_at(parameters, depth, input_rows)));
        shapes.push_back({rule.name, depth, width_at(parameters, depth, input_rows)});
    }
    return shapes;
}

}  // namespace plimsoll::fit

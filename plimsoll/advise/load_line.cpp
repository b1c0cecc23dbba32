#include "plimsoll/advise/load_line.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

namespace plimsoll::advise {
namespace {

constexpr double layer_squares = 12, width_unit = 100;
constexpr double standard_errors = 2;
constexpr double deepest_edge = 1e5;

// By fit_all_studies(); tests/advise/evidence_fit_test.cpp fits them again.
constexpr LineConstants all_studies{24.9676, 0.474822, 35.1563, 0.358179};
constexpr std::array without_one{
    LineConstants{20.6098, 0.735550, 19.7506, 0.642496},  // Plimsoll
    LineConstants{32.0708, 0.293668, 51.3901, 0.253716},  // Interaction_Law
    LineConstants{25.3783, 0.490287, 41.6837, 0.315714},  // Kaplan
    LineConstants{21.7846, 0.552586, 28.8829, 0.394063},  // Gemstones
};

double width_at(double size, double depth) { return std::sqrt(size / (layer_squares * depth)); }

double lost_to_best(const LineConstants& c, double size, double depth) {
    const double best = best_depth(c, size);
    return shape_percent(c, depth, width_at(size, depth)) - shape_percent(c, best, width_at(size, best));
}

// Jackknife over the studies: n - 1 times the mean square of what the fits with one study less say.
double error_between_studies(double size, double depth) {
    std::array<double, without_one.size()> costs{};
    double mean = 0;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        costs[i] = lost_to_best(without_one[i], size, depth);
        mean += costs[i] / static_cast<double>(costs.size());
    }
    double squares = 0;
    for (const double cost : costs) squares += (cost - mean) * (cost - mean);
    const auto n = static_cast<double>(costs.size());
    return std::sqrt((n - 1) / n * squares);
}

DepthCost cost_at(double size, double depth) {
    return {lost_to_best(line_constants(), size, depth), error_between_studies(size, depth)};
}

// Between `inner`, where `holds`, and `outer` the depth at which it ends; `outer` where it holds there too.
double end_of(double inner, double outer, const std::function<bool(double)>& holds) {
    if (holds(outer)) return outer;
    double low = std::log(inner), high = std::log(outer);
    for (int step = 0; step < 60; ++step) {
        const double middle = (low + high) / 2;
        (holds(std::exp(middle)) ? low : high) = middle;
    }
    return std::exp(low);
}

ValleySide place_of(double depth, const Valley& valley, const DepthCost& cost) {
    if (cost.percent <= valley_percent) return ValleySide::inside;
    if (cost.low() <= valley_percent) return ValleySide::edge;
    return depth < valley.best ? ValleySide::too_shallow : ValleySide::too_deep;
}

}  // namespace

const LineConstants& line_constants() { return all_studies; }

std::span<const LineConstants> constants_without_one_study() { return without_one; }

double standard_size(double depth, double width) { return layer_squares * depth * width * width; }

double shape_percent(const LineConstants& c, double depth, double width) {
    return c.depth_percent * std::pow(depth, -c.depth_power) +
           c.width_percent * std::pow(width / width_unit, -c.width_power);
}

// Where p A L^-p = (q/2) B (d/100)^-q with d^2 = N / 12 L: the derivatives by ln L cancel.
double best_depth(const LineConstants& c, double size) {
    const double p = c.depth_power, q = c.width_power;
    const double widest = width_at(size, 1) / width_unit;
    const double ratio = 2 * p * c.depth_percent / (q * c.width_percent * std::pow(widest, -q));
    return std::max(1.0, std::pow(ratio, 1 / (p + q / 2)));
}

double best_depth(double size) { return best_depth(line_constants(), size); }

double DepthCost::low() const { return std::max(0.0, percent - standard_errors * error); }
double DepthCost::high() const { return percent + standard_errors * error; }

// Where p A L^-p = (q/2) B (d/100)^-q.
double line_depth(double width) {
    const LineConstants& c = line_constants();
    const double falls = c.width_power * c.width_percent * std::pow(width / width_unit, -c.width_power);
    return std::max(1.0, std::pow(2 * c.depth_power * c.depth_percent / falls, 1 / c.depth_power));
}

double advised_depth(const LineConstants& constants, double size) {
    const auto tied = [&](double depth) { return lost_to_best(constants, size, depth) <= tie_percent; };
    return end_of(best_depth(constants, size), 1, tied);
}

// What the layers and the table take grows with the size.
double advised_width(double parameters, double rows) {
    constexpr int halvings = 60;
    const auto width = [](double size) { return width_at(size, advised_depth(line_constants(), size)); };
    double low = 0, high = parameters;
    for (int i = 0; i < halvings; ++i) {
        const double size = std::midpoint(low, high);
        (size + rows * width(size) <= parameters ? low : high) = size;
    }
    return width(low);
}

DepthCost depth_cost(double depth, double width) { return cost_at(standard_size(depth, width), depth); }

Valley valley_at(double size) {
    const auto expected = [&](double depth) {
        return lost_to_best(line_constants(), size, depth) <= valley_percent;
    };
    const auto possible = [&](double depth) { return cost_at(size, depth).low() <= valley_percent; };
    Valley valley;
    valley.best = best_depth(size);
    valley.low = end_of(valley.best, 1, expected);
    valley.high = end_of(valley.best, deepest_edge, expected);
    valley.surely_low = end_of(valley.low, 1, possible);
    valley.surely_high = end_of(valley.high, deepest_edge, possible);
    return valley;
}

DepthJudgement judge_depth(std::int64_t depth, std::int64_t width) {
    const auto L = static_cast<double>(depth);
    DepthJudgement judgement;
    judgement.size = standard_size(L, static_cast<double>(width));
    judgement.valley = valley_at(judgement.size);
    judgement.cost = cost_at(judgement.size, L);
    judgement.place = place_of(L, judgement.valley, judgement.cost);
    judgement.measured = judgement.size >= smallest_measured && judgement.size <= largest_measured;
    return judgement;
}

}  // namespace plimsoll::advise

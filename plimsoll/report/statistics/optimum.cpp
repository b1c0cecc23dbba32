#include "plimsoll/report/statistics/optimum.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "plimsoll/base/check.h"
#include "plimsoll/base/random.h"
#include "plimsoll/report/statistics/student.h"

namespace plimsoll::report {
namespace {

constexpr std::size_t draws = 2000;
constexpr std::uint64_t stream_seed = 8;

// A curve on its grid; `known` says where it has a value.
struct Curve {
    std::vector<double> values;
    std::vector<bool> known;
};

struct Best {
    double place = 0, value = 0;
};

// The top of the parabola through three points of which the middle one is the lowest.
Best top_of(const double* x, const double* y) {
    const double left = (y[0] - y[1]) / (x[1] - x[0]), right = (y[2] - y[1]) / (x[2] - x[1]);
    const double bend = (left + right) / (x[2] - x[0]);
    if (bend <= 0) return {x[1], y[1]};  // three equal values
    // y = y1 + slope (x - x1) + bend (x - x1)^2
    const double slope = right - bend * (x[2] - x[1]);
    const double step = std::clamp(-slope / (2 * bend), x[0] - x[1], x[2] - x[1]);
    return {x[1] + step, y[1] + slope * step + bend * step * step};
}

// The lowest place of a curve over `grid`; what has no value is passed over.
Best lowest_of(const std::vector<double>& grid, const Curve& curve) {
    std::vector<double> x, y;
    for (std::size_t i = 0; i < grid.size(); ++i) {
        if (!curve.known[i]) continue;
        x.push_back(grid[i]);
        y.push_back(curve.values[i]);
    }
    PLIMSOLL_CHECK(!x.empty(), "the lowest place of an empty curve");
    const auto at = static_cast<std::size_t>(std::ranges::min_element(y) - y.begin());
    if (at == 0 || at + 1 == x.size()) return {x[at], y[at]};
    return top_of(&x[at - 1], &y[at - 1]);
}

Curve mean_curve(const std::vector<const Curve*>& curves, std::size_t places) {
    Curve mean{std::vector<double>(places, 0.0), std::vector<bool>(places, false)};
    for (std::size_t i = 0; i < places; ++i) {
        double sum = 0;
        std::size_t count = 0;
        for (const Curve* curve : curves) {
            if (!curve->known[i]) continue;
            sum += curve->values[i];
            ++count;
        }
        mean.known[i] = count > 0;
        if (count > 0) mean.values[i] = sum / static_cast<double>(count);
    }
    return mean;
}

double to_scale(double x, Scale scale) { return scale == Scale::linear ? x : std::log(x); }
double from_scale(double x, Scale scale) { return scale == Scale::linear ? x : std::exp(x); }

// Every seed's curve on the common grid, turned so that lower is better.
std::vector<Curve> on_grid(const SeedCurves& seeds, const std::vector<double>& grid, bool lowest) {
    std::vector<Curve> curves;
    for (const auto& [seed, points] : seeds) {
        Curve curve{std::vector<double>(grid.size(), 0.0), std::vector<bool>(grid.size(), false)};
        for (const auto& [x, y] : points) {
            const auto at = static_cast<std::size_t>(std::ranges::lower_bound(grid, x) - grid.begin());
            curve.values[at] = lowest ? y : -y;
            curve.known[at] = true;
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

double stretch_for(std::size_t seeds) {
    const double n = static_cast<double>(seeds);
    return std::sqrt(n / (n - 1)) * student_quantile(interval_level, seeds - 1) /
           normal_quantile(interval_level);
}

// The best places of curves drawn with replacement, in rising order.
std::vector<double> drawn_places(const std::vector<Curve>& curves, const Curve& mean,
                                 const std::vector<double>& grid) {
    RandomStream random(stream_seed, "report/optimum");
    const double stretch = stretch_for(curves.size());
    std::vector<double> places;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        std::vector<const Curve*> drawn;
        for (std::size_t i = 0; i < curves.size(); ++i) drawn.push_back(&curves[random.below(curves.size())]);
        Curve strayed = mean_curve(drawn, grid.size());
        for (std::size_t i = 0; i < grid.size(); ++i)
            strayed.values[i] = mean.values[i] + stretch * (strayed.values[i] - mean.values[i]);
        places.push_back(lowest_of(grid, strayed).place);
    }
    std::ranges::sort(places);
    return places;
}

}  // namespace

Optimum best_point(const SeedCurves& seeds, bool lowest, Scale scale) {
    std::set<double> all;
    for (const auto& [seed, points] : seeds)
        for (const auto& [x, y] : points) all.insert(x);
    const std::vector<double> grid(all.begin(), all.end());
    const auto curves = on_grid(seeds, grid, lowest);
    std::vector<const Curve*> pointers;
    for (const Curve& curve : curves) pointers.push_back(&curve);
    const Curve mean = mean_curve(pointers, grid.size());
    std::vector<double> scaled;
    for (const double x : grid) scaled.push_back(to_scale(x, scale));
    const Best best = lowest_of(scaled, mean);
    Optimum out{from_scale(best.place, scale), lowest ? best.value : -best.value, curves.size()};
    Interval reach{best.place, best.place};
    if (curves.size() >= least_seeds) {
        const auto places = drawn_places(curves, mean, scaled);
        const double tail = (1 - interval_level) / 2;
        reach = {quantile(places, tail), quantile(places, 1 - tail)};
        out.interval = Interval{from_scale(reach.low, scale), from_scale(reach.high, scale)};
    }
    out.open_below = reach.low <= scaled.front();
    out.open_above = reach.high >= scaled.back();
    return out;
}

}  // namespace plimsoll::report

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/report/figure_file.h"
#include "plimsoll/report/statistics/statistics.h"

namespace plimsoll::report {

// Fewer seeds give the bootstrap too little to draw from: with two it held the truth 87 times in 100.
inline constexpr std::size_t least_seeds = 3;

// Measurements of a curve: seed -> x -> y. Seeds need not have every x.
using SeedCurves = std::map<std::string, std::map<double, double>>;

// Where a curve is best.
struct Optimum {
    double x = 0, y = 0;  // of the mean curve: the top of the parabola through the best x and its neighbours
    std::size_t seeds = 0;
    std::optional<Interval> interval;  // 95 %; none below three seeds
    // The interval (or x, without one) reaches the first or last x: the optimum may lie beyond it.
    bool open_below = false, open_above = false;
};

// The best x of the mean curve. The interval is a bootstrap over seeds with a fixed stream of random numbers:
// whole curves are drawn with replacement, and how far their mean strays from the mean of all is stretched by
// sqrt(n / (n - 1)) t / z, so that for anything linear it is Student's interval also for few seeds. At least
// one point is needed; on a logarithmic scale every x must be positive.
Optimum best_point(const SeedCurves& curves, bool lowest, Scale scale);

}  // namespace plimsoll::report

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/report/figure_data.h"

namespace plimsoll::report {

// A point of a fitted line with its 95 % band.
struct FitPoint {
    double x = 0, y = 0;
    std::optional<Interval> band;
};

// The line fitted to one series of one small multiple.
struct FittedLine {
    std::string facet, series;
    std::vector<FitPoint> points;
};

struct FigureFits {
    std::vector<FittedLine> lines;
    std::vector<std::string> notes;  // each fit as a formula with its interval; why one could not be made
};

// Fits every series by least squares in the scale of the axes (a power law: in logarithms of both), to the
// single rows. Numbers only on x.
FigureFits figure_fits(const FigureSpec& figure, const FigureData& data);

// `count` places from low to high, evenly in the scale.
std::vector<double> places_between(double low, double high, Scale scale, std::size_t count);

}  // namespace plimsoll::report

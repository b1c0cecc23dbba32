#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"

namespace plimsoll::report {

// A bound on a rank, by its log10.
struct BoundOnRank {
    std::string id;
    double log10 = 0;
};

// A measured rank at the place `x` of a series, with the bounds on it; not exact: at least so much.
struct RankPoint {
    std::int64_t x = 0;
    std::string series;
    std::size_t rank = 0;
    bool exact = false;
    std::vector<BoundOnRank> bounds;
};

struct RankFigure {
    std::string title, x;  // `x` names the axis
    std::vector<RankPoint> points;
};

// A Vega-Lite 5 specification with the data inside: log10 of the rank against x, bounds as lines.
Json rank_vega(const RankFigure& figure);

}  // namespace plimsoll::report

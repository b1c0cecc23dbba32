#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/report/vega/point_roles.h"

namespace plimsoll::report {

// A value of a network: of one run, or the mean over seeds.
struct DepthValleyPoint {
    bool mean = false;
    std::string role, network;
    std::int64_t depth = 0;
    double value = 0;
};

// A place of the curve, with the band that holds it.
struct DepthValleyCurvePoint {
    double depth = 0, value = 0, low = 0, high = 0;
};

// A range of depths with what it is called.
struct DepthRange {
    double low = 0, high = 0;
    std::string label;
};

// Values against depth: runs, means, the curve through them and its valley.
struct DepthValley {
    std::string title, subtitle;
    std::string value_title, value_unit;
    PointRoles roles;
    std::vector<DepthValleyPoint> points;      // the last lies on top
    std::vector<DepthValleyCurvePoint> curve;  // empty: none
    std::optional<DepthRange> valley;          // filled between the curve and `level`
    double level = 0;                          // what is as good as the best
    std::string level_label;
    std::optional<DepthRange> best;      // where the lowest place may be, at its height
    std::optional<DepthRange> expected;  // by theory
    double least = 0, most = 0;          // of the axis of values
};

// The figure as Vega-Lite in the light look.
Json depth_valley_vega(const DepthValley& figure);

}  // namespace plimsoll::report

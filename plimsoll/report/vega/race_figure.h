#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/report/vega/point_roles.h"

namespace plimsoll::report {

// A value that a network of a race reached after some training.
struct RacePoint {
    bool at_end = true;  // of a rung; false: on the way
    std::string role, network;
    std::string id;      // joins the ends of a network's rungs
    std::string course;  // joins what was reached on the way of one rung
    int rung = 1;
    std::size_t seeds = 0;
    double x = 0, y = 0;
};

// A race: values against what was trained on.
struct RaceFigure {
    std::string title, subtitle;
    std::string x_title, x_unit, y_title, y_unit;
    PointRoles roles;
    std::vector<RacePoint> points;  // the last lies on top
};

// The race as Vega-Lite in the light look: symbols at the ends of rungs, joined; faint lines on the way.
Json race_vega(const RaceFigure& race);

}  // namespace plimsoll::report

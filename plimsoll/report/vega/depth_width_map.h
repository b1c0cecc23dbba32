#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/report/vega/point_roles.h"

namespace plimsoll::report {

// The part of the plane that is drawn.
struct MapFrame {
    double low_width = 0, high_width = 0, low_depth = 0, high_depth = 0;
};

// A place of the plane.
struct MapPoint {
    double width = 0, depth = 0;
};

// Where capacity reaches a power of ten: the least depth at each width, no deeper than the frame.
struct MapContour {
    double power = 0;
    std::vector<MapPoint> places;  // from left to right
};

// A network of the map.
struct MapNetwork {
    std::int64_t width = 0, depth = 0;
    std::string role, label;
    double capacity = 0;
    double lines = 0;  // its depth over the line
};

// Networks by width, to the right, and depth, downward, with what theory says of the plane.
struct DepthWidthMap {
    std::string title, subtitle, width_title;
    MapFrame frame;
    std::vector<MapContour> contours;
    std::vector<MapPoint> line;  // that depth is measured by, from left to right
    std::string line_name;
    MapPoint line_end;                                          // where the line and the band are named
    double band_low = 1, band_high = 1;                         // in lines
    std::vector<std::pair<std::int64_t, std::int64_t>> budget;  // width and depth of what the budget pays for
    PointRoles roles;
    std::vector<MapNetwork> networks;  // the last one is the recommendation, and lies on top
};

// The map as Vega-Lite in the light look.
Json map_vega(const DepthWidthMap& map);

}  // namespace plimsoll::report

#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

// Figures as pictures: Vega-Lite to SVG by web/figures/render.mjs on node, SVG to PNG by rsvg-convert.
namespace plimsoll::report {

// The figures as SVG, in order, by one start of node. `not_found` with the command that installs it where
// node or its packages are missing; `bad_input` with Vega's own words for a spec it cannot draw.
Result<std::vector<std::string>> render_svgs(const std::vector<Json>& vega_lite);

// One figure as SVG.
Result<std::string> render_svg(const Json& vega_lite);

// An SVG as PNG, `scale` pixels for each of its own, in the figures' fonts.
Result<std::string> png_of_svg(const std::string& svg, double scale);

}  // namespace plimsoll::report

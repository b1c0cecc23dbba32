#pragma once

#include <cstddef>
#include <string>

#include "plimsoll/base/json.h"

// The look of figures, in one place: type, ink and series colours of the design.
namespace plimsoll::report {

enum class Theme { light, dark };

// The colours that figures use; the names are those of the design.
struct Palette {
    std::string surface, ink, ink2, ink3, rule, accent, good, warn, water, contour;
};
const Palette& palette(Theme theme);

// The `config` of a Vega-Lite specification: fonts, axes, legend, title, the series' colours as the range
// "category", numbers with narrow spaces between thousands.
Json vega_config(Theme theme);

// The specification with the other look: its config is exchanged, and reference colours with it.
Json with_theme(Json vega_lite, Theme theme);

// The symbol and the dash of a series by its number: told apart without colour, the symbols repeat after
// eight series in another order than the colours do.
std::string series_shape(std::size_t index);
Json series_dash(std::size_t index);

}  // namespace plimsoll::report

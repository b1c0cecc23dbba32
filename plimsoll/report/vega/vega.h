#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/report/figure_data.h"
#include "plimsoll/report/figure_fit.h"

namespace plimsoll::report {

// What is drawn: the figure's text, its points, its fits, its rows for the tips.
struct Drawing {
    const FigureSpec& figure;
    const Selection& selection;
    const FigureData& data;
    const FigureFits& fits;
};

// A specification of Vega-Lite 5 with the data inside, and notes on what could not be drawn as asked.
struct DrawnFigure {
    Json vega_lite;
    std::vector<std::string> notes;
};

// Draws it in the light look. A rule or band at or below 0 on a logarithmic axis, or on an axis of words, is
// an error at its place.
Result<DrawnFigure> draw(const Drawing& drawing);

// One line on what points and whiskers are: "mean and 95 % interval (Student t) over 3 seeds".
std::string subtitle_of(const Drawing& drawing);

// Text in lines of at most `most` characters, broken at spaces.
std::vector<std::string> wrapped(const std::string& text, std::size_t most);

}  // namespace plimsoll::report

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/report/figure_data.h"

namespace plimsoll::report {

// Layers for what theory predicts: windows under the points, rules and curves over them.
struct References {
    std::vector<Json> below, above;
    std::vector<std::string> notes;  // where a curve has no value
};

// Windows, rules and curves of a figure; curves run over the x of the points, or of the rules and windows
// when there are none.
Result<References> reference_layers(const FigureSpec& figure, const FigureData& data);

}  // namespace plimsoll::report

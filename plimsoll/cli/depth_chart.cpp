#include "plimsoll/cli/depth_chart.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"

namespace plimsoll::cli {

int DepthAxis::column(double depth) const {
    if (deepest_ <= 1) return 0;
    return static_cast<int>(std::lround(std::log(depth) / std::log(deepest_) * (columns_ - 1)));
}

std::string DepthAxis::ticks() const {
    std::string line;
    for (const int depth : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512}) {
        if (depth <= deepest_) put(line, column(depth), fmt::format("{}", depth));
    }
    return line;
}

void put(std::string& line, int column, const std::string& text) {
    const auto at = static_cast<std::size_t>(std::max(0, column));
    if (line.size() < at + text.size()) line.resize(at + text.size(), ' ');
    line.replace(at, text.size(), text);
}

}  // namespace plimsoll::cli

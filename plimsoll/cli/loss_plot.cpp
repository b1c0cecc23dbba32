#include "plimsoll/cli/loss_plot.h"

#include <algorithm>

#include "plimsoll/base/format.h"

namespace plimsoll::cli {
namespace {

struct Point {
    double step, loss;
};

std::vector<Point> points_of(const std::vector<Json>& rows) {
    std::vector<Point> points;
    for (const Json& row : rows) {
        if (row.contains("loss") && row["loss"].is_number()) {
            points.push_back({row["step"].get<double>(), row["loss"].get<double>()});
        }
    }
    return points;
}

}  // namespace

std::string loss_plot(const std::vector<Json>& rows, int width, int height) {
    const auto points = points_of(rows);
    if (points.size() < 2) return "";
    const auto [low, high] = std::ranges::minmax_element(points, {}, &Point::loss);
    const double bottom = low->loss, top = std::max(high->loss, low->loss + 1e-12);
    const double last = std::max(points.back().step, 1.0);
    std::vector<std::string> lines(static_cast<std::size_t>(height),
                                   std::string(static_cast<std::size_t>(width), ' '));
    for (const Point& point : points) {
        const auto column = static_cast<std::size_t>(std::clamp(point.step / last, 0.0, 1.0) * (width - 1));
        const auto line = static_cast<std::size_t>((top - point.loss) / (top - bottom) * (height - 1));
        lines[line][column] = '*';
    }
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string label = i == 0                  ? fmt::format("{:8.4f}", top)
                                  : i + 1 == lines.size() ? fmt::format("{:8.4f}", bottom)
                                                          : std::string(8, ' ');
        lines[i].erase(lines[i].find_last_not_of(' ') + 1);
        text += fmt::format("{} |{}\n", label, lines[i]);
    }
    return text + fmt::format("{:8} 0{:>{}}\n", "step", points.back().step, width);
}

}  // namespace plimsoll::cli

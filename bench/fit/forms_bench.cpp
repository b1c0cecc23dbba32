// forms_bench: which curve through loss against depth? Every inner depth of every group of data/evidence.csv
// is left out in turn and predicted from the others; the root mean square error, in percent of loss.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/advise/evidence.h"
#include "plimsoll/base/format.h"
#include "plimsoll/fit/decide/curve_form.h"
#include "plimsoll/fit/decide/depth_curve.h"
#include "plimsoll/report/statistics/statistics.h"

namespace plimsoll::fit {
namespace {

using Points = std::vector<std::pair<double, double>>;  // depth, loss in percent; by depth, each once
using Predict = std::function<double(const Points&, double)>;

constexpr std::size_t least_points = 5;

double on_lines(const Points& points, double depth) {
    const auto above = std::ranges::lower_bound(points, depth, {}, &std::pair<double, double>::first);
    const auto below = std::prev(above);
    const double share = std::log(depth / below->first) / std::log(above->first / below->first);
    return below->second + share * (above->second - below->second);
}

double on_parabola(const Points& points, double depth) {
    Points logs;
    for (const auto& [L, loss] : points) logs.emplace_back(std::log(L), loss);
    return report::PolynomialFit::make(logs, 2)->at(std::log(depth));
}

Predict on_form(CurveForm form) {
    return [form](const Points& points, double depth) {
        std::vector<double> depths, values;
        for (const auto& [L, loss] : points) {
            depths.push_back(L);
            values.push_back(loss);
        }
        const FormFit fit(form, depths, values, std::vector<double>(depths.size(), 1));
        return curve_value(fit.best(), form.basis(depth));
    };
}

// Our curve, with the noise that runs of one network usually have: 0.3 %, by ten degrees of freedom.
double on_ours(const Points& points, double depth) {
    std::vector<DepthMean> means;
    for (const auto& [L, loss] : points) means.push_back({L, loss});
    return DepthCurve::make(std::move(means), {0.09, 10, 0}, 100)->at(depth);
}

struct Form {
    const char* name;
    Predict predict;
};
const std::array<Form, 5>& forms() {
    static const std::array<Form, 5> all{{{"lines", on_lines},
                                          {"parabola", on_parabola},
                                          {"load line", on_form({0.445, 0.166})},
                                          {"1/L, ln L", on_form({1, 0})},
                                          {"ours", on_ours}}};
    return all;
}

Points points_of(const advise::EvidenceGroup& group) {
    std::map<double, std::vector<double>> by_depth;
    for (const auto& point : group.points) by_depth[point.depth].push_back(point.lost_at_size);
    Points points;
    for (const auto& [depth, losses] : by_depth) points.emplace_back(depth, report::summary(losses).mean);
    return points;
}

double left_out_error(const Points& points, const Predict& predict) {
    double squares = 0;
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
        Points others = points;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        squares += std::pow(predict(others, points[i].first) - points[i].second, 2);
    }
    return std::sqrt(squares / static_cast<double>(points.size() - 2));
}

void print_table() {
    std::array<double, 5> sums{};
    double groups = 0;
    fmt::print("{:<34}{:>4}", "group", "n");
    for (const auto& form : forms()) fmt::print("{:>12}", form.name);
    fmt::print("\n");
    for (const auto& group : advise::evidence_groups()) {
        const Points points = points_of(group);
        if (!group.fitted || points.size() < least_points) continue;
        fmt::print("{:<34}{:>4}", group.name, points.size());
        for (std::size_t i = 0; i < forms().size(); ++i) {
            const double error = left_out_error(points, forms()[i].predict);
            sums[i] += error;
            fmt::print("{:>12.3f}", error);
        }
        ++groups;
        fmt::print("\n");
    }
    fmt::print("{:<38}", "mean");
    for (const double sum : sums) fmt::print("{:>12.3f}", sum / groups);
    fmt::print("\n");
}

}  // namespace
}  // namespace plimsoll::fit

int main() { plimsoll::fit::print_table(); }

#include "plimsoll/advise/evidence_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace plimsoll::advise {
namespace {

constexpr std::size_t unknowns = 4;
using Vector = std::array<double, unknowns>;
using Matrix = std::array<Vector, unknowns>;

constexpr int most_steps = 2000;
constexpr double smallest_gain = 1e-14, first_damping = 1e-3, most_damping = 1e12;
constexpr double accuracy_points = 0.5;

// Gaussian elimination with pivots; a column of zeros gives zero.
Vector solved(Matrix m, Vector b) {
    for (std::size_t i = 0; i < unknowns; ++i) {
        std::size_t pivot = i;
        for (std::size_t k = i; k < unknowns; ++k)
            if (std::abs(m[k][i]) > std::abs(m[pivot][i])) pivot = k;
        std::swap(m[i], m[pivot]);
        std::swap(b[i], b[pivot]);
        if (m[i][i] == 0) continue;
        for (std::size_t k = 0; k < unknowns; ++k) {
            if (k == i) continue;
            const double times = m[k][i] / m[i][i];
            for (std::size_t j = 0; j < unknowns; ++j) m[k][j] -= times * m[i][j];
            b[k] -= times * b[i];
        }
    }
    for (std::size_t i = 0; i < unknowns; ++i) b[i] = m[i][i] == 0 ? 0 : b[i] / m[i][i];
    return b;
}

LineConstants constants_of(const Vector& logs) {
    return {std::exp(logs[0]), std::exp(logs[1]), std::exp(logs[2]), std::exp(logs[3])};
}

// The derivatives of shape_percent by the logarithms of the constants.
Vector slopes(const LineConstants& c, const EvidencePoint& point) {
    const double by_depth = c.depth_percent * std::pow(point.depth, -c.depth_power);
    const double by_width = shape_percent(c, point.depth, point.width) - by_depth;
    return {by_depth, -by_depth * c.depth_power * std::log(point.depth), by_width,
            -by_width * c.width_power * std::log(point.width / 100)};
}

// What is least squared, with its normal equations.
struct Squares {
    double sum = 0;
    Matrix normal{};
    Vector right{};
};

// Adds one group with its own level: residuals and slopes have their means taken off.
void add_group(Squares& squares, const EvidenceGroup& group, const LineConstants& c, double weight) {
    const auto n = static_cast<double>(group.points.size());
    double level = 0;
    Vector middle{};
    for (const auto& point : group.points) {
        level += (point.lost - shape_percent(c, point.depth, point.width)) / n;
        const Vector slope = slopes(c, point);
        for (std::size_t i = 0; i < unknowns; ++i) middle[i] += slope[i] / n;
    }
    for (const auto& point : group.points) {
        const double residual = point.lost - shape_percent(c, point.depth, point.width) - level;
        Vector slope = slopes(c, point);
        for (std::size_t i = 0; i < unknowns; ++i) slope[i] -= middle[i];
        squares.sum += weight / n * residual * residual;
        for (std::size_t i = 0; i < unknowns; ++i) {
            squares.right[i] += weight / n * slope[i] * residual;
            for (std::size_t j = 0; j < unknowns; ++j)
                squares.normal[i][j] += weight / n * slope[i] * slope[j];
        }
    }
}

Squares squares_at(const Vector& logs, const std::vector<const EvidenceGroup*>& groups) {
    std::map<std::string, double> of_study;
    for (const auto* group : groups) ++of_study[group->study];
    Squares squares;
    for (const auto* group : groups)
        add_group(squares, *group, constants_of(logs), 1 / of_study[group->study]);
    return squares;
}

Vector stepped(const Vector& logs, Squares squares, double damping) {
    for (std::size_t i = 0; i < unknowns; ++i) squares.normal[i][i] *= 1 + damping;
    Vector next = solved(squares.normal, squares.right);
    for (std::size_t i = 0; i < unknowns; ++i) next[i] += logs[i];
    return next;
}

// The amplitudes that fit a group best at these powers: two unknowns and a level, in closed form.
LineConstants amplitudes(const EvidenceGroup& group, LineConstants c) {
    const auto n = static_cast<double>(group.points.size());
    const LineConstants depth_only{1, c.depth_power, 0, c.width_power};
    const LineConstants width_only{0, c.depth_power, 1, c.width_power};
    double mx = 0, my = 0, mz = 0;
    for (const auto& p : group.points) {
        mx += shape_percent(depth_only, p.depth, p.width) / n;
        my += shape_percent(width_only, p.depth, p.width) / n;
        mz += p.lost_at_size / n;
    }
    double xx = 0, xy = 0, yy = 0, xz = 0, yz = 0;
    for (const auto& p : group.points) {
        const double x = shape_percent(depth_only, p.depth, p.width) - mx;
        const double y = shape_percent(width_only, p.depth, p.width) - my, z = p.lost_at_size - mz;
        xx += x * x, xy += x * y, yy += y * y, xz += x * z, yz += y * z;
    }
    const double det = xx * yy - xy * xy;
    c.depth_percent = det > 0 ? (xz * yy - yz * xy) / det : 0;
    c.width_percent = det > 0 ? (yz * xx - xz * xy) / det : 0;
    if (c.width_percent <= 0) c.width_percent = 0, c.depth_percent = xx > 0 ? std::max(0.0, xz / xx) : 0;
    if (c.depth_percent <= 0) c.depth_percent = 0, c.width_percent = yy > 0 ? std::max(0.0, yz / yy) : 0;
    return c;
}

// Parameters of a layer over width^2: 12 for standard blocks.
double layer_squares_of(const EvidenceGroup& group) {
    double logs = 0;
    for (const auto& p : group.points) logs += std::log(p.depth * p.width * p.width);
    return group.size / std::exp(logs / static_cast<double>(group.points.size()));
}

}  // namespace

LineConstants fit_line(const std::vector<const EvidenceGroup*>& groups) {
    Vector logs{std::log(10.0), 0, std::log(10.0), 0};
    Squares now = squares_at(logs, groups);
    double damping = first_damping;
    for (int step = 0; step < most_steps && damping < most_damping; ++step) {
        const Vector next = stepped(logs, now, damping);
        const Squares then = squares_at(next, groups);
        if (!(then.sum < now.sum)) {
            damping *= 4;
            continue;
        }
        const bool done = now.sum - then.sum < smallest_gain;
        logs = next;
        now = then;
        damping = std::max(damping / 5, 1e-9);
        if (done) break;
    }
    return constants_of(logs);
}

std::vector<const EvidenceGroup*> fitted_groups(const std::string& without) {
    std::vector<const EvidenceGroup*> groups;
    for (const auto& group : evidence_groups())
        if (group.fitted && group.study != without) groups.push_back(&group);
    return groups;
}

LineFit fit_all_studies() {
    LineFit fit{fit_line(fitted_groups()), fitted_studies(), {}};
    for (const auto& study : fit.studies) fit.without.push_back(fit_line(fitted_groups(study)));
    return fit;
}

GroupCurve curve_of_group(const EvidenceGroup& group) {
    GroupCurve curve;
    curve.constants = amplitudes(group, line_constants());
    const double squares = layer_squares_of(group);
    const double low = group.points.front().depth, high = group.points.back().depth;
    const auto at = [&](double depth) {
        return shape_percent(curve.constants, depth, std::sqrt(group.size / (squares * depth)));
    };
    constexpr int steps = 2000;
    std::vector<double> depths, values;
    for (int i = 0; i <= steps; ++i) {
        depths.push_back(low * std::pow(high / low, i / static_cast<double>(steps)));
        values.push_back(at(depths.back()));
    }
    const auto best = static_cast<std::size_t>(std::ranges::min_element(values) - values.begin());
    const double allowed =
        values[best] + (group.metric == Metric::accuracy ? accuracy_points : valley_percent);
    std::size_t first = best, last = best;
    while (first > 0 && values[first - 1] <= allowed) --first;
    while (last + 1 < values.size() && values[last + 1] <= allowed) ++last;
    curve.best = depths[best];
    curve.low = depths[first];
    curve.high = depths[last];
    curve.low_at_edge = first == 0;
    curve.high_at_edge = last + 1 == values.size();
    return curve;
}

}  // namespace plimsoll::advise

#include "plimsoll/probe/marchenko_pastur.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plimsoll::probe {
namespace {

// With lambda = 1 + c + 2 sqrt(c) cos(t) the density of lambda, sqrt((b - lambda)(lambda - a)) / (2 pi c
// lambda), becomes 2 sin^2(t) / (pi lambda) of t; this is its integral from 0.
double integral_to(double angle, double ratio) {
    const double root = std::sqrt(ratio);
    const double bend =
        std::atan2((1 - root) * std::sin(angle / 2), (1 + root) * std::cos(angle / 2));  // 0 .. pi/2
    const double sum = (1 + ratio) * angle - 2 * root * std::sin(angle) - 2 * (1 - ratio) * bend;
    return sum / (2 * std::numbers::pi * ratio);
}

// Mean and scale of Tracy and Widom's law for the largest eigenvalue, Johnstone 2001, Theorem 1.1.
double largest_by_chance(double rows, double cols) {
    constexpr double quantile = 3.27;  // of the law for real matrices, one in a thousand is above
    const double first = std::sqrt(std::max(1.0, rows - 1)), second = std::sqrt(cols);
    const double scale = (first + second) * std::cbrt(1 / first + 1 / second);
    return std::sqrt((first + second) * (first + second) + quantile * scale);
}

}  // namespace

MarchenkoPastur::MarchenkoPastur(double rows, double cols, double mean_square)
    : ratio_(std::min(rows, cols) / std::max(rows, cols)),
      unit_(std::sqrt(mean_square * std::max(rows, cols))),
      low_(unit_ * (1 - std::sqrt(ratio_))),
      high_(unit_ * (1 + std::sqrt(ratio_))),
      limit_(std::sqrt(mean_square) * largest_by_chance(rows, cols)) {}

double MarchenkoPastur::share_below(double value) const {
    if (value <= low_) return 0;
    if (value >= high_) return 1;
    const double lambda = value / unit_ * (value / unit_);
    const double cosine = (lambda - 1 - ratio_) / (2 * std::sqrt(ratio_));
    return 1 - integral_to(std::acos(std::clamp(cosine, -1.0, 1.0)), ratio_);
}

double MarchenkoPastur::value_at(double share) const {
    constexpr int halvings = 60;
    double low = low_, high = high_;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (share_below(middle) < share ? low : high) = middle;
    }
    return (low + high) / 2;
}

double distance_to(const MarchenkoPastur& law, std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const auto count = static_cast<double>(values.size());
    double largest = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
        const double expected = law.share_below(values[k]);
        const auto below = static_cast<double>(k);
        largest = std::max({largest, expected - below / count, (below + 1) / count - expected});
    }
    return largest;
}

}  // namespace plimsoll::probe

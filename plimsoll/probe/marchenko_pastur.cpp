#include "plimsoll/probe/marchenko_pastur.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plimsoll::probe {
namespace {

// With lambda = 1 + c + 2 sqrt(c) cos(t) the density of lambda, sqrt((b - lambda)(lambda - a)) / (2 pi c
// lambda), becomes this smooth function of t in 0..pi.
double density_at(double angle, double ratio) {
    const double lambda = 1 + ratio + 2 * std::sqrt(ratio) * std::cos(angle);
    const double sine = std::sin(angle);
    // Where both vanish (square matrices, t = pi) their quotient tends to 1.
    if (lambda < 1e-12) return 2 / std::numbers::pi;
    return 2 * sine * sine / (std::numbers::pi * lambda);
}

// Simpson's rule from `from` to pi, where lambda falls to its lower edge.
double integral_from(double from, double ratio) {
    constexpr int steps = 512;  // even; the error is below 1e-9
    const double width = (std::numbers::pi - from) / steps;
    double sum = density_at(from, ratio) + density_at(std::numbers::pi, ratio);
    for (int k = 1; k < steps; ++k) sum += (k % 2 == 1 ? 4 : 2) * density_at(from + k * width, ratio);
    return sum * width / 3;
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
    return integral_from(std::acos(std::clamp(cosine, -1.0, 1.0)), ratio_);
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

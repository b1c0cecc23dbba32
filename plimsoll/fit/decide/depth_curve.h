#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "plimsoll/report/statistics/statistics.h"

// A smooth curve through value against depth, and what its noise leaves open. docs/FIT_METHOD.md, "The
// valley", has the model, why it has this form, and how often its intervals hold the truth.
namespace plimsoll::fit {

// Fewer depths than these leave a curve of three numbers nothing to be wrong about.
constexpr std::size_t curve_depths_needed = 4;

// What one depth came to; lower values are better.
struct DepthMean {
    double depth = 0, value = 0;
    double excess = 1;  // its variance over that of the other depths: 1 unless it is far noisier
};

// The variances of a mean beside the level that all depths share.
struct CurveNoise {
    double of_seeds = 0;      // estimated
    std::size_t freedom = 0;  // of that estimate; 0: seeds say nothing
    double of_examples = 0;   // known
};

// Where a curve is lowest, and where it is at most so much above that.
struct Basin {
    double best = 0, low = 0, high = 0;                           // depths
    report::Interval best_interval, low_interval, high_interval;  // 95 %
    bool open_below = false, open_above = false;                  // it reaches the end of the field
};

// One depth of the curve as figures show it.
struct DepthCurvePoint {
    double depth = 0, value = 0;
    report::Interval band;  // 95 %, of the height above the best depth of the curve
};

// The mean of each depth is curve + deviation of its own + noise. The curve is a + b L^-f + c r(L) with f one
// of 1/2, 1, 2 and r one of ln L, sqrt L, L; the deviations are those of networks that are no points of a
// curve (rounded widths, heads). Which form, how large the deviations are and all numbers are averaged over
// what the values leave possible: a thousand draws from their posterior, by a fixed stream of random numbers.
class DepthCurve {
  public:
    // The curve of depths in rising order, each once. `scale` is what deviations are measured against: a
    // value of the curve, or 1 where values are shares. Nothing with fewer than four depths, or where neither
    // seeds nor examples say anything of the noise.
    static std::optional<DepthCurve> make(std::vector<DepthMean> means, const CurveNoise& noise,
                                          double scale);

    // The value expected of the i-th depth: its own mean drawn towards the curve, as far as noise explains
    // it.
    [[nodiscard]] double expected(std::size_t i) const { return expected_[i]; }
    // The standard error of the difference of two of them.
    [[nodiscard]] double error_between(std::size_t i, std::size_t j) const;
    // How far depths lie from the curve for reasons of their own: the median of what is possible.
    [[nodiscard]] double deviation() const { return deviation_; }
    // The same draws, but straight (over ln L) between the values of the depths: for values that no curve of
    // this form fits, such as those of a task that two layers cannot do and three can.
    [[nodiscard]] DepthCurve joined() const;

    // The curve at a depth of the field.
    [[nodiscard]] double at(double depth) const;
    // The range of depths that cost at most `allowed` more than the best one, between the shallowest and the
    // deepest depth of the field.
    [[nodiscard]] Basin basin(double allowed) const;
    // The curve from end to end.
    [[nodiscard]] std::vector<DepthCurvePoint> places() const;

  private:
    static constexpr std::size_t grid_size = 97;
    using OnGrid = std::array<double, grid_size>;
    friend class CurveSampler;  // fills it

    [[nodiscard]] double depth_at(double place) const;

    std::vector<DepthMean> means_;
    std::vector<OnGrid> draws_;                // curves
    std::vector<std::vector<double>> values_;  // [draw][depth]
    std::vector<double> expected_;
    OnGrid mean_{};
    double deviation_ = 0;
};

}  // namespace plimsoll::fit

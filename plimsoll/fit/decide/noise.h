#pragma once

#include <vector>

#include "plimsoll/fit/decide/compare.h"
#include "plimsoll/fit/decide/depth_curve.h"

// How far the difference of two candidates' means on a rung may be chance; docs/FIT_METHOD.md, "Deciding".
namespace plimsoll::fit {

// Networks that are judged by the same examples err mostly on the same ones. So much of the variance of an
// accuracy over examples is taken to be common to two networks and to cancel in their difference. This is an
// assumption, not a measurement: it means that of two networks with 60 % accuracy one alone is right on 24 %
// of the examples.
inline constexpr double shared_errors = 0.5;

struct Noise {
    double error = 0;         // standard error of a difference
    std::size_t freedom = 0;  // 0: seeds do not say; the error is that of the held-out examples

    // What a true difference of 0 stays within in 95 % of cases, over so many comparisons at once
    // (Bonferroni). Infinite where neither seeds nor examples say anything.
    [[nodiscard]] double half_width(std::size_t comparisons) const;
};

// The noise of a rung: the residuals of candidate + seed, each candidate's own together with those pooled
// over all candidates but the ones that Fisher's test finds far noisier than the others, which have their
// own; and the error of the held-out examples where it is known, as far as two candidates err on different
// ones (shared_errors).
class RungNoise {
  public:
    explicit RungNoise(const RungTable& table);

    [[nodiscard]] Noise between(std::size_t a, std::size_t b) const;
    // Of two candidates that are as noisy as most.
    [[nodiscard]] Noise usual() const;
    // The variance of a run by its seed, over that of the pool; 1 unless the row is far noisier.
    [[nodiscard]] double excess(std::size_t row) const;
    // The variances of the means beside the level that they share, for a curve through these rows.
    [[nodiscard]] CurveNoise of_means(const std::vector<std::size_t>& rows) const;
    // Rows that are far noisier than the others.
    [[nodiscard]] const std::vector<std::size_t>& unsteady() const { return unsteady_; }

  private:
    std::size_t seeds_ = 0, freedom_ = 0;     // of the pool
    std::vector<double> variances_;           // of a run, by row
    std::vector<double> example_deviations_;  // of a mean by its held-out examples, by row
    std::vector<std::size_t> unsteady_;
    double pooled_ = 0;
};

}  // namespace plimsoll::fit

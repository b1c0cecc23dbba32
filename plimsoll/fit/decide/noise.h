#pragma once

#include <vector>

#include "plimsoll/fit/decide/compare.h"

// How far the difference of two candidates' means on a rung may be chance; docs/FIT.md, "Deciding".
namespace plimsoll::fit {

struct Noise {
    double error = 0;         // standard error of a difference
    std::size_t freedom = 0;  // 0: seeds do not say; the error is that of the held-out examples

    // What a true difference of 0 stays within in 95 % of cases, over so many comparisons at once
    // (Bonferroni). Infinite where neither seeds nor examples say anything.
    [[nodiscard]] double half_width(std::size_t comparisons) const;
};

// The noise of a rung: the residuals of candidate + seed, pooled over all candidates but those that Fisher's
// test finds far noisier than the others, which have their own; and the error of the held-out examples where
// it is known, as if no two candidates erred on the same ones.
class RungNoise {
  public:
    explicit RungNoise(const RungTable& table);

    [[nodiscard]] Noise between(std::size_t a, std::size_t b) const;
    // Of two candidates that are as noisy as most.
    [[nodiscard]] Noise usual() const;
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

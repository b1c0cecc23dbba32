#pragma once

#include <vector>

namespace plimsoll::probe {

// The law that the singular values of a large rows x cols matrix of independent entries with mean 0 and mean
// square `mean_square` follow (Marchenko and Pastur 1967); the entries' distribution does not matter.
class MarchenkoPastur {
  public:
    MarchenkoPastur(double rows, double cols, double mean_square);

    // root_mean_square * |sqrt(rows) -+ sqrt(cols)|, between which all but finitely many values fall.
    [[nodiscard]] double low_edge() const { return low_; }
    [[nodiscard]] double high_edge() const { return high_; }
    // The largest value stays below this but for one matrix in about a thousand (Johnstone 2001: Tracy and
    // Widom's law at 3.27).
    [[nodiscard]] double chance_limit() const { return limit_; }
    // The share of the min(rows, cols) values at or below `value`.
    [[nodiscard]] double share_below(double value) const;
    // The value that a share of them is at or below: the other way.
    [[nodiscard]] double value_at(double share) const;

  private:
    double ratio_;  // smaller over larger side
    double unit_;   // root_mean_square * sqrt(larger side)
    double low_, high_, limit_;
};

// The largest difference between the shares of `values` and those of the law (Kolmogorov and Smirnov).
double distance_to(const MarchenkoPastur& law, std::vector<double> values);

}  // namespace plimsoll::probe

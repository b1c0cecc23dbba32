#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Means, intervals and fits of few numbers. docs/REPORTS.md has the formulas; tests/report measures how often
// the intervals hold the truth.
namespace plimsoll::report {

// The level of every interval here.
inline constexpr double interval_level = 0.95;

struct Interval {
    double low = 0, high = 0;

    friend bool operator==(const Interval&, const Interval&) = default;
};

// The mean of some numbers with what is known of it. The order of the numbers does not matter, to the bit.
struct Summary {
    std::size_t count = 0;
    double mean = 0, least = 0, most = 0;
    std::optional<double> deviation;   // of the sample, n - 1 below; none for one number
    std::optional<Interval> interval;  // 95 % by Student's t; none for one number

    // Half the length of the interval.
    [[nodiscard]] std::optional<double> half_width() const;
};

// Of one number or more, all finite.
Summary summary(std::vector<double> values);

// The value below which the share `part` of the sorted numbers lies, straight between neighbours.
double quantile(const std::vector<double>& sorted, double part);

// A least-squares polynomial y = c0 + c1 x + ... with its 95 % band.
class PolynomialFit {
  public:
    // Nothing when there are fewer different x than coefficients.
    static std::optional<PolynomialFit> make(const std::vector<std::pair<double, double>>& points,
                                             std::size_t degree);

    [[nodiscard]] double at(double x) const;
    // Where the mean of y at x lies, 95 % (Student's t); none when no degree of freedom is left.
    [[nodiscard]] std::optional<Interval> band(double x) const;
    // The coefficients of 1, x, x^2.
    [[nodiscard]] std::vector<double> coefficients() const;
    // The 95 % interval of the coefficient of the highest power; none as for band.
    [[nodiscard]] std::optional<Interval> leading_interval() const;
    [[nodiscard]] std::size_t freedom() const { return freedom_; }

  private:
    [[nodiscard]] std::vector<double> basis(double x) const;

    // Polynomials that are orthogonal over the points, by their recurrence, in x' = (x - centre) / spread.
    double centre_ = 0, spread_ = 1;
    std::vector<double> shifts_, ratios_, norms_, weights_;
    std::size_t freedom_ = 0;
    double variance_ = 0;  // of the residuals
};

}  // namespace plimsoll::report

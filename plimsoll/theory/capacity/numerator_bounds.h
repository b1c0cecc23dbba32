#pragma once

#include <map>
#include <optional>

#include "plimsoll/theory/capacity/numerator_average.h"

namespace plimsoll::theory {

// Certified bounds of ln H(K), H(K) = sum_{k <= K} h(d, q, k) = sum_i h_i ((n, K-i)), n = delta + 1, within a
// few nats of it, from values of the numerator N(t) = sum_i h_i t^i. Proofs:
// docs/bounds/capacity-enclosure.md.
class NumeratorBounds {
  public:
    NumeratorBounds(const RankVariety& variety, int bits);

    // U6; nothing when the search for a tilt fails.
    [[nodiscard]] std::optional<Ball> upper(const Integer& degree);
    // The larger of L6 and L7; nothing when neither proves anything.
    [[nodiscard]] std::optional<Ball> lower(const Integer& degree);

  private:
    // A tilt s, t = s^2, with the slope and curvature of ln(N(t) (1-t)^-n) in ln t; N is known at s and a
    // step in ln t to either side.
    struct Tilt {
        double s = 0, step = 0, slope = 0, curvature = 0;
    };

    const Ball& log_n(double s);
    [[nodiscard]] double first_guess(double degree) const;
    [[nodiscard]] double expected_curvature(double s) const;
    Tilt tilt_at(double s);
    std::optional<Tilt> tilt_for(double degree);
    [[nodiscard]] Ball tilted_term(const Integer& degree, std::int64_t i, const Ball& log_t) const;
    std::optional<Ball> by_index_window(const Integer& degree, const Tilt& tilt);
    std::optional<Ball> by_degree_window(const Integer& degree, const Tilt& tilt);

    [[nodiscard]] double growth_share(double first, double last, double t) const;

    RankVariety variety_;
    int bits_;
    Integer variables_;  // n
    double n_, ambient_;
    std::map<double, Ball> values_;
    std::optional<Tilt> last_;
};

}  // namespace plimsoll::theory

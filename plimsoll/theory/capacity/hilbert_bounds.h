#pragma once

#include <optional>

#include "plimsoll/theory/capacity/numerator_bounds.h"

namespace plimsoll::theory {

// Certified bounds of ln sum_{k <= K} h(d, q, k) for 1 <= q < d at any size; names as in
// docs/bounds/capacity-enclosure.md.
class CumulativeForms {
  public:
    // `seconds_per_value` is what one value of the numerator may cost for L6, L7 and U6 to be used.
    CumulativeForms(const RankVariety& variety, int bits, double seconds_per_value = 0.02);

    // The largest of the lower bounds: Jensen (L1), the first h-numbers (L2), the tilted sum (L5) and, near
    // the knee, those from values of the numerator (L6, L7) or, where these take too long, one diagram (L4).
    [[nodiscard]] Ball lower(const Integer& degree);
    // The smallest of the upper bounds: polynomial ring (U1), degree (U2) and, near the knee, the one from
    // values of the numerator (U6) or, where these take too long, Selberg's integral (U5).
    [[nodiscard]] Ball upper(const Integer& degree);

    [[nodiscard]] Ball jensen_lower(const Integer& degree) const;
    [[nodiscard]] Ball first_numbers_lower(const Integer& degree) const;
    // Needs degree >= the length of the h-vector; nothing when the tilt proves nothing.
    [[nodiscard]] std::optional<Ball> tilted_lower(const Integer& degree) const;
    [[nodiscard]] Ball diagram_lower(const Integer& degree) const;
    [[nodiscard]] Ball ring_upper(const Integer& degree) const;
    [[nodiscard]] Ball degree_upper(const Integer& degree) const;

  private:
    [[nodiscard]] bool near_knee(const Integer& degree) const;
    [[nodiscard]] Ball log_mean_factor(const Ball& root) const;
    [[nodiscard]] bool jensen_applies(const Integer& degree) const;

    RankVariety variety_;
    int bits_;
    Integer variables_;  // delta + 1: cumulative sums have one variable more
    Integer codimension_;
    Integer ambient_variables_;  // D + 1
    Ball log_degree_;
    NumeratorBounds by_numerator_;
    bool affordable_;
};

}  // namespace plimsoll::theory

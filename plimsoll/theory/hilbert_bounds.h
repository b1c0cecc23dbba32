#pragma once

#include <optional>

#include "plimsoll/theory/hilbert.h"

namespace plimsoll::theory {

// Certified bounds of ln sum_{k <= K} h(d, q, k) for 1 <= q < d at any size; names as in
// docs/bounds/capacity-enclosure.md.
class CumulativeForms {
  public:
    CumulativeForms(const RankVariety& variety, int bits);

    // The largest of the lower bounds: Jensen (L1), the first h-numbers (L2), the tilted sum (L5) and,
    // if `search_diagrams`, one large diagram (L4).
    [[nodiscard]] Ball lower(const Integer& degree, bool search_diagrams) const;
    // The smallest of the upper bounds: polynomial ring (U1), degree (U2) and, if `use_selberg`, Selberg's
    // integral (U5).
    [[nodiscard]] Ball upper(const Integer& degree, bool use_selberg) const;

    [[nodiscard]] Ball jensen_lower(const Integer& degree) const;
    [[nodiscard]] Ball first_numbers_lower(const Integer& degree) const;
    // Needs degree >= the length of the h-vector; nothing when the tilt proves nothing.
    [[nodiscard]] std::optional<Ball> tilted_lower(const Integer& degree) const;
    [[nodiscard]] Ball diagram_lower(const Integer& degree) const;
    [[nodiscard]] Ball ring_upper(const Integer& degree) const;
    [[nodiscard]] Ball degree_upper(const Integer& degree) const;

  private:
    [[nodiscard]] bool jensen_applies(const Integer& degree) const;

    RankVariety variety_;
    int bits_;
    Integer variables_;  // delta + 1: cumulative sums have one variable more
    Integer codimension_;
    Integer ambient_variables_;  // D + 1
    Ball log_degree_;
};

}  // namespace plimsoll::theory

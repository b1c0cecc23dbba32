#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/theory/numbers/ball.h"

namespace plimsoll::theory {

// The two shapes that decide capacity: width d and the number q of positions on a side.
// Symmetric d x d matrices of rank <= q form a variety of this dimension, degree and codimension.
struct RankVariety {
    std::int64_t d = 1;
    std::int64_t q = 1;

    // delta = q d - q (q - 1) / 2, or d (d + 1) / 2 once q >= d.
    [[nodiscard]] Integer dimension() const;
    // D = d (d + 1) / 2, the entries of a symmetric matrix.
    [[nodiscard]] Integer ambient() const;
    [[nodiscard]] bool is_whole_space() const { return q >= d; }
    // Harris-Tu: the product of binom(d + a, d - q - a) / binom(2 a + 1, a) over a < d - q.
    [[nodiscard]] Integer degree() const;
    // ln degree, at any size in constant time.
    [[nodiscard]] Ball log_degree(int bits) const;
    // Largest index of the h-vector: q (d - q + 1) / 2 for d - q odd, q (d - q) / 2 for even.
    [[nodiscard]] std::int64_t h_length() const;
    // Mean index of the h-vector, q (d - q + 1) / 4.
    [[nodiscard]] Rational h_mean() const;
};

// A module over the ring of the variety whose dimension in degree k is sum_i numerator[i] ((dimension, k -
// i)).
class HilbertFunction {
  public:
    HilbertFunction(Integer dimension, std::vector<Integer> numerator)
        : dimension_(std::move(dimension)), numerator_(std::move(numerator)) {}

    // The dimension in degree k; zero for negative k.
    [[nodiscard]] Integer at(const Integer& degree) const { return sum(dimension_, degree); }
    // The sum over all degrees <= k.
    [[nodiscard]] Integer cumulative(const Integer& degree) const { return sum(dimension_ + 1, degree); }
    [[nodiscard]] const std::vector<Integer>& numerator() const { return numerator_; }
    // Every value multiplied by `factor`.
    [[nodiscard]] HilbertFunction times(const Integer& factor) const;

  private:
    [[nodiscard]] Integer sum(const Integer& variables, const Integer& degree) const;
    Integer dimension_;
    std::vector<Integer> numerator_;
};

// About how long the exact functions below take together, in seconds on one core.
double exact_seconds(const RankVariety& variety);
// The same for their first `count` degrees only.
double exact_seconds(const RankVariety& variety, double count);

// True when the exact functions below take a few seconds at most.
bool exact_is_feasible(const RankVariety& variety);

// h(d, q, k): forms of degree k on symmetric d x d matrices of rank <= q (FIX-HSYM).
HilbertFunction invariant_forms(const RankVariety& variety);

// a(d, q, e): the span of x_alpha P(G), P of degree e, on a side of q positions (CAPACITY 1.2).
HilbertFunction covariant_forms(const RankVariety& variety);

// The same two numbers straight from their definitions, sums of dim S_lambda(C^d) over partitions; for tests
// and tiny k.
Integer invariant_forms_by_partitions(const RankVariety& variety, std::int64_t degree);
Integer covariant_forms_by_partitions(const RankVariety& variety, std::int64_t degree);

// sum_k min(b(k), a(C - k)) for b nondecreasing and a nondecreasing: the repaired bound from its two sides.
Integer crossing_sum(const HilbertFunction& b_side, const HilbertFunction& a_side,
                     const Integer& total_degree);

}  // namespace plimsoll::theory

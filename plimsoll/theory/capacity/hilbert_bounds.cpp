#include "plimsoll/theory/capacity/hilbert_bounds.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/capacity/selberg_bound.h"
#include "plimsoll/theory/capacity/young_shape.h"
#include "plimsoll/theory/numbers/multiset_log.h"

namespace plimsoll::theory {
namespace {

constexpr double wide_gap = 1e-3;  // from here on a diagram is worth the search

// The largest index in [0, high] at which `still_rising` holds, given that it holds up to some point and then
// no more.
template <class Predicate>
Integer last_rising(const Integer& high, Predicate still_rising) {
    Integer low = -1, above = high + 1;
    while (above - low > 1) {
        const Integer middle = floor_div(low + above, 2);
        (still_rising(middle) ? low : above) = middle;
    }
    return low;
}

}  // namespace

CumulativeForms::CumulativeForms(const RankVariety& variety, int bits, double seconds_per_value)
    : variety_(variety),
      bits_(bits),
      variables_(variety.dimension() + 1),
      codimension_(variety.ambient() - variety.dimension()),
      ambient_variables_(variety.ambient() + 1),
      log_degree_(variety.log_degree(bits)),
      by_numerator_(variety, bits),
      affordable_(log_numerator_seconds(variety, bits) < seconds_per_value) {
    PLIMSOLL_CHECK(!variety.is_whole_space(), "for q >= d the forms are counted exactly");
}

// From the end of the free regime to some layers past the knee: l layers past it C/2 is 3^l times its value
// there, delta deg^(-1/delta) / e. Large varieties reach the accuracy of the cheap bounds sooner.
bool CumulativeForms::near_knee(const Integer& degree) const {
    const double delta = variety_.dimension().to_double();
    const double knee = delta * std::exp(-1 - log_degree_.middle() / delta);
    return degree > variety_.q && degree.to_double() < (affordable_ ? 6561 : 243) * knee;
}

bool CumulativeForms::jensen_applies(const Integer& degree) const {
    return Rational(degree) >= variety_.h_mean();
}

// L1: sum_i h_i ((n, K-i)) >= deg ((n, K - mean)), since x -> ((n, x)) is convex.
Ball CumulativeForms::jensen_lower(const Integer& degree) const {
    return log_degree_ + log_multiset(Rational(variables_), Rational(degree) - variety_.h_mean(), bits_);
}

// L2: h_i = ((c, i)) for i <= q, so each of those terms alone is a lower bound; the ratio of neighbours finds
// the largest.
Ball CumulativeForms::first_numbers_lower(const Integer& degree) const {
    if (degree <= variety_.q) return ring_upper(degree);
    const Integer high = std::min(Integer(variety_.q), degree);
    const Integer best = last_rising(high, [&](const Integer& i) {
        if (i == 0) return true;
        return (codimension_ + i - 1) * (degree - i + 1) >= i * (variables_ + degree - i);
    });
    return log_multiset(codimension_, best, bits_) + log_multiset(variables_, degree - best, bits_);
}

// ln of a mean of det(1 + s g) relative to its value at s = 1, less the power of (1+s)/2: the polynomial F(r)
// = sum_k binom(l, k) (a)(a-1)..(a-k+1) / (c)(c+1)..(c+k-1) r^k, r = ((1-s)/(1+s))^2, c = d-q+1/2, a =
// (q-1)/2 for even q and q/2 for odd, l = floor(q/2). All terms are positive.
Ball CumulativeForms::log_mean_factor(const Ball& root) const {
    const Ball one(1, bits_), ratio = (one - root) / (one + root), r = ratio * ratio;
    const std::int64_t twice_a = variety_.q % 2 == 0 ? variety_.q - 1 : variety_.q;
    const std::int64_t twice_c = 2 * (variety_.d - variety_.q) + 1;
    Ball term = one, sum = one;
    for (std::int64_t k = 0; k < variety_.q / 2; ++k) {
        const Rational step(Integer(variety_.q / 2 - k) * (twice_a - 2 * k),
                            Integer(k + 1) * (twice_c + 2 * k));
        term = term * Ball(step, bits_) * r;
        sum = sum + term;
    }
    return log(sum);
}

// L5: x -> ((n, K-x)) is log-concave, so between i_1 and the last index it lies above the exponential w t^x
// through the two ends; below i_1 the h_i are at most ((c, i)). Hence sum_i h_i ((n, K-i)) >= w (N(t) -
// ((c+1, i_1 - 1))), and the average over the orthogonal group shows N(t) = sum_i h_i t^i >= deg ((1 + sqrt
// t) / 2)^(q (d-q+1)).
std::optional<Ball> CumulativeForms::tilted_lower(const Integer& degree) const {
    const Integer length = variety_.h_length();
    if (degree < length) return std::nullopt;
    const Ball power(variety_.h_mean() * Rational(4), bits_), one(1, bits_), two(2, bits_);
    const auto log_numerator = [&](const Ball& log_t) {
        return log_degree_ + power * log((one + exp(log_t / two)) / two);
    };
    const auto extra = [&](const Ball& log_t) {
        return Ball(variety_.d - variety_.q + 1, bits_) * log_mean_factor(exp(log_t / two));
    };
    const auto log_term = [&](const Integer& i) { return log_multiset(variables_, degree - i, bits_); };
    const auto chord = [&](const Integer& i) {
        return (log_term(length) - log_term(i)) / Ball(length - i, bits_);
    };
    // A later start makes the chord steeper and the numerator smaller, hence the retreat below.
    const Ball room = log_numerator(chord(0)) - log(Ball(4, bits_));
    Integer start = last_rising(variety_.h_mean().floor(), [&](const Integer& i) {
        return i == 0 || less(log_multiset(codimension_ + 1, i - 1, bits_), room) == Verdict::proved;
    });
    for (; start > 0; start = floor_div(start * 9, 10)) {
        const Ball share =
            exp(log_multiset(codimension_ + 1, start - 1, bits_) - log_numerator(chord(start)));
        if (less(share, Ball(Rational(Integer(1), Integer(2)), bits_)) != Verdict::proved) continue;
        const Ball log_t = chord(start), more = extra(log_t);
        return log_term(start) - Ball(start, bits_) * log_t + log_numerator(log_t) + more +
               log1p(-share * exp(-more));
    }
    return log_term(0) + log_numerator(chord(0)) + extra(chord(0));
}

// L4: h(k) is a sum of positive dimensions; take one diagram of at most K boxes.
Ball CumulativeForms::diagram_lower(const Integer& degree) const {
    const BlockDiagram diagram = large_diagram(variety_.d, variety_.q, degree.to_double());
    if (diagram.size() > degree) return Ball(0, bits_);  // the search drifted; one form is still one form
    return log_schur_dimension(diagram, variety_.d, bits_);
}

// U1: forms on all symmetric matrices.
Ball CumulativeForms::ring_upper(const Integer& degree) const {
    return log_multiset(ambient_variables_, degree, bits_);
}

// U2: 0 <= h_i <= ((c, i)) and sum h_i = deg, and ((n, K-i)) falls with i: fill the h_i from below.
Ball CumulativeForms::degree_upper(const Integer& degree) const {
    const Integer filled = last_rising(Integer(variety_.h_length()), [&](const Integer& i) {
        return less(log_degree_, log_multiset(codimension_ + 1, i, bits_)) != Verdict::proved;
    });
    if (filled < 0 || degree <= filled) return ring_upper(degree);
    const Ball rest = log_degree_ + log_multiset(variables_, degree - filled - 1, bits_);
    // Up to the mode of ((c, i)) ((n, K-i)) the terms rise, so the last one times their number covers them.
    const bool before_mode =
        (codimension_ + filled - 1) * (degree - filled + 1) >= filled * (variables_ + degree - filled);
    if (!before_mode) return ring_upper(degree);
    const Ball last =
        log_multiset(codimension_, filled, bits_) + log_multiset(variables_, degree - filled, bits_);
    return log_add_exp(log(Ball(filled + 1, bits_)) + last, rest);
}

Ball CumulativeForms::lower(const Integer& degree) {
    Ball best = first_numbers_lower(degree);
    if (jensen_applies(degree)) best = max(best, jensen_lower(degree));
    if (const auto tilted = tilted_lower(degree)) best = max(best, *tilted);
    if (!near_knee(degree)) return best;
    if (!affordable_) return max(best, diagram_lower(degree));
    if (const auto value = by_numerator_.lower(degree)) best = max(best, *value);
    const auto top = by_numerator_.upper(degree);
    const bool narrow = top && top->upper() - best.lower() < wide_gap * top->upper();
    return narrow ? best : max(best, diagram_lower(degree));
}

Ball CumulativeForms::upper(const Integer& degree) {
    const Ball best = min(ring_upper(degree), degree_upper(degree));
    if (!near_knee(degree)) return best;
    if (!affordable_) return min(best, selberg_upper(variety_, degree, bits_));
    const auto sharper = by_numerator_.upper(degree);
    return min(best, sharper ? *sharper : selberg_upper(variety_, degree, bits_));
}

}  // namespace plimsoll::theory

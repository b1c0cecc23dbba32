#include "plimsoll/theory/capacity_enclosure.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/capacity_by_values.h"
#include "plimsoll/theory/hilbert_bounds.h"
#include "plimsoll/theory/multiset_log.h"

namespace plimsoll::theory {
namespace {

Ball ln3(int bits) { return log(Ball(3, bits)); }

Enclosure closed_form(std::int64_t depth, std::int64_t width, int bits) {
    const Ball kappa = full_bound_log3(depth, width, bits);
    return {kappa, kappa, "closed form"};
}

// One position a side: h(k) = ((d, 2k)) and a(e) = ((d, 2e+1)), so that the minima are all degrees up to C,
// each once: ((d+1, C)).
Enclosure two_positions(std::int64_t depth, std::int64_t width, int bits) {
    const Ball kappa = log_multiset(Integer(width) + 1, gram_count(depth), bits) / ln3(bits);
    return {kappa, kappa, "two positions"};
}

// Where the expensive bounds pay: from the end of the free regime to a few layers past the knee.
bool near_the_knee(std::int64_t depth, const RankVariety& variety) {
    const double knee = knee_depth(variety, 64).middle();
    return static_cast<double>(depth) < knee + 6;
}

// The sides of sum_k min(h_B(k), a_A(C-k)): rows 1..q of the input are independent over the invariants and
// pairing with q generic positions is injective, so q h_A(e) <= a_A(e) <= min(d h_A(e), q h_A(e+1)).
struct Sides {
    RankVariety a, b;
    Integer C;
    int bits;

    [[nodiscard]] Integer half() const { return floor_div(C, 2); }

    // How far past the middle the sides meet if forms grow by (n + C/2) / (C/2) per degree.
    [[nodiscard]] Integer shift(const Integer& n, double balance) const {
        const double growth = std::log1p(n.to_double() / std::max(1.0, half().to_double()));
        const double steps = std::max(0.0, std::log(balance) / (2 * growth));
        return Ball::from_double(std::min(steps, half().to_double()), bits).middle_floor();
    }

    // Any cut bounds the sum from above; the one chosen balances the two parts.
    [[nodiscard]] Ball upper(const CumulativeForms& b_forms, bool sharp) const {
        const Integer cut = half() + shift(b.dimension(), static_cast<double>(b.q)), rest = C - 1 - cut;
        const Ball from_b = b_forms.upper(cut, sharp);
        if (rest < 0) return from_b;
        const auto log_a = [&](const Integer& degree) {
            if (a.is_whole_space()) return log_multiset(a.ambient() + 1, degree, bits);
            return a.q == b.q ? b_forms.upper(degree, sharp) : CumulativeForms(a, bits).upper(degree, sharp);
        };
        // Past the knee degrees differ little and q h(e+1) is the smaller; in the shallows d h(e) is.
        const double growth = 1 + a.dimension().to_double() / std::max(1.0, rest.to_double());
        const bool by_rows =
            !a.is_whole_space() && static_cast<double>(a.q) * growth < static_cast<double>(a.d);
        const Ball from_a =
            by_rows ? log(Ball(a.q, bits)) + log_a(rest + 1) : log(Ball(a.d, bits)) + log_a(rest);
        return log_add_exp(from_b, from_a);
    }

    // Forms grow by at least (delta + k) / (k + 1) and at most (D + k) / (k + 1) per degree, so up to `first`
    // side B is certainly the smaller one and from `last` on q h(C-k) is.
    [[nodiscard]] Ball lower(const CumulativeForms& b_forms, bool sharp) const {
        const auto q = static_cast<double>(b.q);
        const Integer first = half() + certain_shift(q), last = half() + shift(b.dimension(), q) + 2;
        const Ball from_b = b_forms.lower(first, sharp);
        if (last >= C || !surely_past(last, q)) return from_b;
        return log_add_exp(from_b, log(Ball(b.q, bits)) + b_forms.lower(C - last, sharp));
    }

  private:
    // The largest j found with h(half + j) <= q h(C - half - j), by the largest possible growth over the
    // degrees between.
    [[nodiscard]] Integer certain_shift(double q) const {
        for (Integer j = shift(b.ambient(), q); j > 0; j = floor_div(j * 9, 10)) {
            const Integer low = C - half() - j, steps = half() + j - low;
            const double growth = std::log1p((b.ambient().to_double() - 1) / (low.to_double() + 1));
            if (low >= 0 && steps.to_double() * growth * (1 + 1e-9) <= std::log(q)) return j;
        }
        return 0;
    }
    // h(last) >= q h(C - last), by the smallest possible growth over the degrees between.
    [[nodiscard]] bool surely_past(const Integer& last, double q) const {
        const double steps = (last + last - C).to_double(), top = last.to_double();
        return steps * std::log1p((b.dimension().to_double() - 1) / top) * (1 - 1e-9) >= std::log(q);
    }
};

Enclosure by_bounds(std::int64_t depth, std::int64_t width, std::int64_t side_a, std::int64_t side_b,
                    int bits) {
    const Sides sides{{width, side_a}, {width, side_b}, gram_count(depth), bits};
    const bool sharp = near_the_knee(depth, sides.b);
    const CumulativeForms b_forms(sides.b, bits);
    const Ball lower = sides.lower(b_forms, sharp), upper = sides.upper(b_forms, sharp);
    const Ball cap = full_bound_log3(depth, width, bits);
    return {(lower / ln3(bits)).lower_end(), min(upper / ln3(bits), cap).upper_end(), "bounds"};
}

// While the cut of the full problem stays within q_B every form that counts is free: h(k) = ((D, k)) for k <=
// q_B and a(e) = d ((D, e)) for e < q_A, so that the bound is the one for N >= 2d.
bool all_forms_free(std::int64_t depth, std::int64_t width, std::int64_t side_b) {
    const Integer C = gram_count(depth);
    if (C > Integer(2) * side_b) return false;
    return staircase_cut(C, RankVariety{width, width}.ambient(), width) <= side_b;
}

}  // namespace

double Enclosure::relative_width() const {
    const double top = upper.upper();
    return top > 0 ? (upper - lower).upper() / top : 0;
}

Enclosure enclose_capacity(std::int64_t depth, std::int64_t width, std::int64_t context, int bits) {
    PLIMSOLL_CHECK(depth >= 1 && width >= 1 && context >= 2,
                   "capacity needs a depth, a width and two positions");
    const std::int64_t side_b = context / 2, side_a = context - side_b;
    if (side_b >= width || all_forms_free(depth, width, side_b)) return closed_form(depth, width, bits);
    if (context == 2) return two_positions(depth, width, bits);
    if (const auto exact = enclose_by_values(depth, width, side_a, side_b, bits)) return *exact;
    return by_bounds(depth, width, side_a, side_b, bits);
}

Enclosure enclose_by_inequalities(std::int64_t depth, std::int64_t width, std::int64_t context, int bits) {
    const std::int64_t side_b = context / 2;
    PLIMSOLL_CHECK(depth >= 1 && side_b >= 1 && side_b < width, "the inequalities are for 2 <= N < 2d");
    return by_bounds(depth, width, context - side_b, side_b, bits);
}

Saturation saturation_depth(std::int64_t width, std::int64_t context, std::int64_t vocab) {
    constexpr std::int64_t deepest = 400;
    const Ball cap = string_cap_log3(context, vocab, 64);
    Saturation out;
    for (std::int64_t depth = 1; depth <= deepest; ++depth) {
        const Enclosure kappa = enclose_capacity(depth, width, context);
        if (out.not_before == 0 && kappa.upper.upper() >= cap.lower()) out.not_before = depth;
        if (kappa.lower.lower() >= cap.upper()) {
            out.reached = depth;
            break;
        }
    }
    return out;
}

}  // namespace plimsoll::theory

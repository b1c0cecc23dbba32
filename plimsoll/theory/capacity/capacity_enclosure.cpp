#include "plimsoll/theory/capacity/capacity_enclosure.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/capacity/capacity_by_values.h"
#include "plimsoll/theory/capacity/hilbert_bounds.h"
#include "plimsoll/theory/capacity/unequal_sides.h"
#include "plimsoll/theory/numbers/multiset_log.h"

namespace plimsoll::theory {
namespace {

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

// sum_k min(h(k), a(C-k)) with the same number of positions on both sides: rows 1..q of the input are
// independent over the invariants and pairing with q generic positions is injective, so q h(e) <= a(e) <=
// min(d h(e), q h(e+1)).
struct Sides {
    RankVariety side;
    Integer C;
    int bits;

    [[nodiscard]] Integer half() const { return floor_div(C, 2); }

    // How far past the middle the sides meet if forms grow by (n + C/2) / (C/2) per degree.
    [[nodiscard]] Integer shift(const Integer& n) const {
        if (half() == 0) return 0;
        return std::min(half(), (log_rows() / (Ball(2, bits) * log_growth(n, half()))).middle_floor());
    }

    // Any cut bounds the sum from above; the one chosen balances the two parts.
    [[nodiscard]] Ball upper(CumulativeForms& forms) const {
        const Integer cut = half() + shift(side.dimension()), rest = C - 1 - cut;
        const Ball from_b = forms.upper(cut);
        if (rest < 0) return from_b;
        // Past the knee degrees differ little and q h(e+1) is the smaller; in the shallows d h(e) is.
        const double growth = 1 + side.dimension().to_double() / std::max(1.0, rest.to_double());
        const bool by_rows = static_cast<double>(side.q) * growth < static_cast<double>(side.d);
        const Ball from_a = by_rows ? log(Ball(side.q, bits)) + forms.upper(rest + 1)
                                    : log(Ball(side.d, bits)) + forms.upper(rest);
        return log_add_exp(from_b, from_a);
    }

    // Forms grow by at least (delta + k) / (k + 1) and at most (D + k) / (k + 1) per degree, so up to `first`
    // side B is certainly the smaller one and from `last` on q h(C-k) is.
    [[nodiscard]] Ball lower(CumulativeForms& forms) const {
        const Integer first = half() + certain_shift(), last = half() + shift(side.dimension()) + 2;
        const Ball from_b = forms.lower(first);
        if (last >= C || !surely_past(last)) return from_b;
        return log_add_exp(from_b, log(Ball(side.q, bits)) + forms.lower(C - last));
    }

  private:
    [[nodiscard]] Ball log_rows() const { return log(Ball(side.q, bits)); }
    [[nodiscard]] Ball log_growth(const Integer& n, const Integer& degree) const {
        return log1p(Ball(Rational(n, degree), bits));
    }
    // The largest j found with h(half + j) <= q h(C - half - j), by the largest possible growth over the
    // degrees between.
    [[nodiscard]] Integer certain_shift() const {
        for (Integer j = shift(side.ambient()); j > 0; j = floor_div(j * 9, 10)) {
            const Integer low = C - half() - j, steps = half() + j - low;
            if (low < 0) continue;
            const Ball growth = Ball(steps, bits) * log_growth(side.ambient() - 1, low + 1);
            if (less(log_rows(), growth) == Verdict::refuted) return j;
        }
        return 0;
    }
    // h(last) >= q h(C - last), by the smallest possible growth over the degrees between.
    [[nodiscard]] bool surely_past(const Integer& last) const {
        const Ball growth = Ball(last + last - C, bits) * log_growth(side.dimension() - 1, last);
        return less(growth, log_rows()) == Verdict::refuted;
    }
};

std::pair<Ball, Ball> enclose_equal_sides(const RankVariety& side, const Integer& C, int bits) {
    const Sides sides{side, C, bits};
    CumulativeForms forms(side, bits);
    return {sides.lower(forms), sides.upper(forms)};
}

Enclosure by_bounds(std::int64_t depth, std::int64_t width, std::int64_t side_a, std::int64_t side_b,
                    int bits) {
    const RankVariety a{width, side_a}, b{width, side_b};
    const Integer C = gram_count(depth);
    const auto [lower, upper] =
        side_a == side_b ? enclose_equal_sides(b, C, bits) : enclose_unequal_sides(a, b, C, bits);
    const Ball cap = full_bound_log3(depth, width, bits);
    return {(lower / ln3(bits)).lower_end(), min(upper / ln3(bits), cap).upper_end(), "bounds"};
}

// One way to split the positions, the output's side first.
struct Split {
    std::int64_t a, b;
};

// While the cut of the full problem stays within q_B, and C within 2 q_A, every form that counts is free:
// h(k) = ((D, k)) for k <= q_B and a(e) = d ((D, e)) for e < q_A, so that the bound is the one for N >= 2d.
bool all_forms_free(std::int64_t depth, std::int64_t width, const Split& split) {
    const Integer C = gram_count(depth);
    if (C > Integer(2) * split.a) return false;
    return staircase_cut(C, RankVariety{width, width}.ambient(), width) <= split.b;
}

// The balanced splits of N positions: one for even N; for odd N the output lies on the larger or the smaller
// side.
std::vector<Split> balanced_splits(std::int64_t context) {
    const std::int64_t half = context / 2, rest = context - half;
    if (half == rest) return {{half, half}};
    return {{rest, half}, {half, rest}};
}

// The larger of two numbers between their ends.
Enclosure larger_of(const Enclosure& one, const Enclosure& other) {
    const bool one_method = one.method == other.method;
    return {max(one.lower, other.lower), max(one.upper, other.upper),
            one_method ? one.method : one.method + ", " + other.method};
}

template <class EncloseSplit>
Enclosure largest_split(std::int64_t context, EncloseSplit enclose) {
    const auto splits = balanced_splits(context);
    Enclosure largest = enclose(splits.front());
    if (splits.size() > 1) largest = larger_of(largest, enclose(splits.back()));
    return largest;
}

}  // namespace

double Enclosure::relative_width() const {
    const double top = upper.upper();
    return top > 0 ? (upper - lower).upper() / top : 0;
}

Enclosure enclose_capacity(std::int64_t depth, std::int64_t width, std::int64_t context, int bits) {
    PLIMSOLL_CHECK(depth >= 1 && width >= 1 && context >= 2,
                   "capacity needs a depth, a width and two positions");
    const auto free = [&](const Split& split) { return all_forms_free(depth, width, split); };
    if (context / 2 >= width || std::ranges::any_of(balanced_splits(context), free))
        return closed_form(depth, width, bits);  // no split has more
    if (context == 2) return two_positions(depth, width, bits);
    return largest_split(context, [&](const Split& split) {
        const auto exact = enclose_by_values(depth, width, split.a, split.b, bits);
        return exact ? *exact : by_bounds(depth, width, split.a, split.b, bits);
    });
}

Enclosure enclose_by_inequalities(std::int64_t depth, std::int64_t width, std::int64_t context, int bits) {
    PLIMSOLL_CHECK(depth >= 1 && context >= 2 && context / 2 < width, "the inequalities are for 2 <= N < 2d");
    return largest_split(context,
                         [&](const Split& split) { return by_bounds(depth, width, split.a, split.b, bits); });
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

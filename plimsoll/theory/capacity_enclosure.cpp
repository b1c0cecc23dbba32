#include "plimsoll/theory/capacity_enclosure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/hilbert_bounds.h"
#include "plimsoll/theory/multiset_log.h"
#include "plimsoll/theory/orthogonal_average.h"

namespace plimsoll::theory {
namespace {

Ball ln3(int bits) { return log(Ball(3, bits)); }

// What an exact answer may cost before the bounds take over.
constexpr double affordable_seconds = 0.2;
constexpr std::int64_t longest_series = 8;

Enclosure closed_form(std::int64_t depth, std::int64_t width, int bits) {
    const Ball kappa = full_bound_log3(depth, width, bits);
    return {kappa, kappa, "closed form"};
}

// Exact Hilbert functions are kept: a scan over depths asks for the same variety again and again.
struct ExactSides {
    HilbertFunction b_side, a_side;
};

const ExactSides& exact_sides(std::int64_t width, std::int64_t side_a, std::int64_t side_b) {
    static std::mutex guard;
    static std::map<std::array<std::int64_t, 3>, ExactSides> kept;
    const std::scoped_lock lock(guard);
    const std::array<std::int64_t, 3> key{width, side_a, side_b};
    if (const auto found = kept.find(key); found != kept.end()) return found->second;
    return kept.emplace(key, ExactSides{invariant_forms({width, side_b}), covariant_forms({width, side_a})})
        .first->second;
}

// ln of numerator[i] ((n, k - i)) summed; nothing for an empty sum.
Ball log_sum(const std::vector<Integer>& numerator, const Integer& n, const Integer& k, int bits) {
    Ball total(bits);
    bool any = false;
    for (std::size_t i = 0; i < numerator.size(); ++i) {
        const Integer rest = k - static_cast<std::int64_t>(i);
        if (rest < 0 || numerator[i] == 0) continue;
        const Ball term = log(Ball(numerator[i], bits)) + log_multiset(n, rest, bits);
        total = any ? log_add_exp(total, term) : term;
        any = true;
    }
    PLIMSOLL_CHECK(any, "a Hilbert function is positive in every degree it is asked for");
    return total;
}

// The crossing sum of hilbert.h in logarithms, for degrees far beyond what can be written out.
Enclosure by_h_vector(std::int64_t depth, std::int64_t width, std::int64_t side_a, std::int64_t side_b,
                      int bits) {
    const ExactSides& sides = exact_sides(width, side_a, side_b);
    const Integer C = gram_count(depth);
    const Integer n_b = RankVariety{width, side_b}.dimension(), n_a = RankVariety{width, side_a}.dimension();
    const auto& b = sides.b_side.numerator();
    const auto& a = sides.a_side.numerator();
    // A tie that four times the precision cannot decide counts as rising: the sum is then the same on both
    // sides.
    const auto rising = [&](const Integer& k) {
        const auto from_a = [&](int work) { return log_sum(a, n_a, C - k, work); };
        const auto from_b = [&](int work) { return log_sum(b, n_b, k, work); };
        return decide_less(from_a, from_b, 4 * bits) != Verdict::proved;
    };
    Integer low = floor_div(C, 2), reach = 1, high = C + 1;
    while (low + reach < high && rising(low + reach)) {
        low += reach;
        reach *= 2;
    }
    high = std::min(high, low + reach);
    while (high - low > 1) {
        const Integer probe = floor_div(low + high, 2);
        (rising(probe) ? low : high) = probe;
    }
    Ball total = log_sum(b, n_b + 1, low, bits);
    if (low < C) total = log_add_exp(total, log_sum(a, n_a + 1, C - low - 1, bits));
    const Ball kappa = total / ln3(bits);
    return {kappa, kappa, "h-vector"};
}

// The literal sum for few Gram factors: the first C + 1 values of both sides, whatever the width.
Enclosure by_series(std::int64_t depth, std::int64_t width, std::int64_t side_a, std::int64_t side_b,
                    int bits) {
    const std::int64_t C = gram_count(depth).to_int64(), terms = 2 * C + 2;
    const auto h = invariant_series(width, side_b, terms), a = covariant_series(width, side_a, terms);
    Integer total = 0;
    for (std::int64_t k = 0; k <= C; ++k) {
        total += std::min(h[static_cast<std::size_t>(2 * k)], a[static_cast<std::size_t>(2 * (C - k) + 1)]);
    }
    const Ball kappa = log3(Ball(total, bits));
    return {kappa, kappa, "series"};
}

// The same from the invariants alone, a third of the work: q h_A(e) <= a_A(e) <= min(d h_A(e), q h_A(e+1)).
Enclosure by_invariant_series(std::int64_t depth, std::int64_t width, std::int64_t side_a,
                              std::int64_t side_b, int bits) {
    const std::int64_t C = gram_count(depth).to_int64(), terms = 2 * C + 4;
    const auto on_a = invariant_series(width, side_a, terms);
    const auto on_b = side_a == side_b ? on_a : invariant_series(width, side_b, terms);
    Integer low = 0, high = 0;
    for (std::int64_t k = 0; k <= C; ++k) {
        const Integer& b = on_b[static_cast<std::size_t>(2 * k)];
        const Integer& here = on_a[static_cast<std::size_t>(2 * (C - k))];
        const Integer& next = on_a[static_cast<std::size_t>(2 * (C - k) + 2)];
        low += std::min(b, here * side_a);
        high += std::min({b, here * width, next * side_a});
    }
    return {log3(Ball(low, bits)).lower_end(), log3(Ball(high, bits)).upper_end(), "series"};
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
    const RankVariety larger{width, side_a};
    if (exact_seconds(larger) < affordable_seconds) return by_h_vector(depth, width, side_a, side_b, bits);
    const double series_seconds =
        depth <= longest_series ? exact_seconds(larger, gram_count(depth).to_double() + 1) : 1e9;
    if (series_seconds < affordable_seconds) return by_series(depth, width, side_a, side_b, bits);
    if (series_seconds < 3 * affordable_seconds)
        return by_invariant_series(depth, width, side_a, side_b, bits);
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

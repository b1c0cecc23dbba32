#include "plimsoll/theory/capacity_enclosure.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

#include "plimsoll/base/check.h"
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
    const auto rising = [&](const Integer& k) {
        return less(log_sum(a, n_a, C - k, bits), log_sum(b, n_b, k, bits)) != Verdict::proved;
    };
    // A bracket of C 2^-e leaves a relative error of about (n 2^-e)^2, as in the staircase.
    const auto e = static_cast<std::uint64_t>(bits / 2 + n_b.bits() + 4);
    const Integer width_wanted = std::max(Integer(1), floor_div(C, pow(Integer(2), e)));
    Integer low = floor_div(C, 2), reach = width_wanted, high = C + 1;
    while (low + reach < high && rising(low + reach)) {
        low += reach;
        reach *= 2;
    }
    high = std::min(high, low + reach);
    while (high - low > width_wanted) {
        const Integer probe = floor_div(low + high, 2);
        (rising(probe) ? low : high) = probe;
    }
    Ball total = log_sum(b, n_b + 1, low, bits);
    if (low < C) total = log_add_exp(total, log_sum(a, n_a + 1, C - low - 1, bits));
    if (high - low > 1) {
        // Each piece inside the bracket saves at most a(C - low) - b(low).
        const Ball a_low = log_sum(a, n_a, C - low, bits), gap = a_low - log_sum(b, n_b, low, bits);
        const Ball saving = Ball(high - low, bits) * exp(a_low - total) * (Ball(1, bits) - exp(-gap));
        total = Ball::hull(total, total + log1p(-max(saving, Ball(0, bits))));
    }
    const Ball kappa = total / ln3(bits);
    return {kappa, kappa, "h-vector"};
}

// Where the expensive bounds pay: from the end of the free regime to a few layers past the knee.
bool near_the_knee(std::int64_t depth, const RankVariety& variety) {
    const double knee = knee_depth(variety, 64).middle();
    return static_cast<double>(depth) < knee + 4;
}

// sum_k min(h_B(k), a_A(C-k)): for k <= C/2 the first is the smaller (a_A >= h_A >= h_B), and the pieces past
// the middle are at least h_B(C-k). Upward any cut K gives a bound, with a_A <= d h_A.
Enclosure by_bounds(std::int64_t depth, std::int64_t width, std::int64_t side_a, std::int64_t side_b,
                    int bits) {
    const RankVariety a_variety{width, side_a}, b_variety{width, side_b};
    const bool expensive = near_the_knee(depth, b_variety);
    const Integer C = gram_count(depth), half = floor_div(C, 2);
    const CumulativeForms b_forms(b_variety, bits);
    const Ball first = b_forms.lower(half, expensive);
    // The pieces k > C/2, at least h_B(C - k) each, repeat the sum over k < C - C/2: with 2 * half <= C they
    // add it once more, less the middle piece when C is even.
    const bool even = half + half == C;
    const Ball lower = even ? first : first + log(Ball(2, bits));

    const Ball b_upper = b_forms.upper(half, expensive);
    const Ball a_upper = a_variety.is_whole_space()
                             ? log_multiset(a_variety.ambient() + 1, C - half - 1, bits)
                             : CumulativeForms(a_variety, bits).upper(C - half - 1, expensive);
    const Ball upper = log_add_exp(b_upper, log(Ball(width, bits)) + a_upper);
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
    if (exact_is_feasible({width, side_b}) && exact_is_feasible({width, side_a})) {
        return by_h_vector(depth, width, side_a, side_b, bits);
    }
    return by_bounds(depth, width, side_a, side_b, bits);
}

Saturation saturation_depth(std::int64_t width, std::int64_t context, std::int64_t vocab) {
    constexpr std::int64_t deepest = 400;
    const double cap = string_cap_log3(context, vocab, 64).lower();
    Saturation out;
    for (std::int64_t depth = 1; depth <= deepest; ++depth) {
        const Enclosure kappa = enclose_capacity(depth, width, context);
        if (out.not_before == 0 && kappa.upper.upper() >= cap) out.not_before = depth;
        if (kappa.lower.lower() >= cap) {
            out.reached = depth;
            break;
        }
    }
    return out;
}

}  // namespace plimsoll::theory

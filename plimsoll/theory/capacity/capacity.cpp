#include "plimsoll/theory/capacity/capacity.h"

#include <algorithm>
#include <vector>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/numbers/multiset_log.h"

namespace plimsoll::theory {
namespace {

Integer choose2(const Integer& n) { return exact_div(n * (n - 1), 2); }
Integer triangle(const Integer& n) { return exact_div(n * (n + 1), 2); }

// ((n, k)) = 0 for negative k, as the sums over degrees want it.
Integer multiset_or_zero(const Integer& n, const Integer& k) { return k < 0 ? Integer(0) : multiset(n, k); }

}  // namespace

namespace {

// The crossing of the two sides: excess(k) = ln ((n, k)) - ln w - ln ((n, C-k)) is <= 0 at `low` and > 0 at
// `high`.
struct Crossing {
    Integer low, high;
};

class Staircase {
  public:
    Staircase(const Integer& C, const Integer& n, const Integer& w) : C_(C), n_(n), w_(w) {}

    // Negative while side B is the smaller one; ln Gamma(n) cancels.
    [[nodiscard]] Ball excess(const Integer& k, int bits) const {
        const int work = bits + cancellation_bits(n_ + C_);
        const auto rise = [&](const Integer& x) {
            return lgamma(Ball(n_ + x, work)) - lgamma(Ball(x + 1, work));
        };
        return rise(k) - rise(C_ - k) - log(Ball(w_, work));
    }

    // Newton from the linear guess, then a bracket no wider than `width`; low = -1 or high = C + 1 stand for
    // the ends.
    [[nodiscard]] Crossing crossing(const Integer& width, int bits) const {
        Integer middle = newton(width, bits);
        Integer reach = width;
        Integer low = std::max(Integer(-1), middle - reach), high = std::min(C_ + 1, middle + reach);
        while (!below(low, bits)) low = std::max(Integer(-1), low - (reach *= 4));
        reach = width;
        while (below(high, bits)) high = std::min(C_ + 1, high + (reach *= 4));
        while (high - low > width) {
            const Integer probe = floor_div(low + high, 2);
            (below(probe, bits) ? low : high) = probe;
        }
        return {low, high};
    }

  private:
    // A tie that four times the precision cannot decide counts as below: the value is then the same on both
    // sides.
    [[nodiscard]] bool below(const Integer& k, int bits) const {
        if (k < 0) return true;
        if (k > C_) return false;
        const auto zero = [](int b) { return Ball(0, b); };
        return decide_less(
                   zero, [&](int b) { return excess(k, b); }, std::max(128, 4 * bits)) != Verdict::proved;
    }

    [[nodiscard]] Integer newton(const Integer& width, int bits) const {
        Integer k = floor_div(C_, 2);
        for (int step = 0; step < 40; ++step) {
            const Ball slope =
                log1p(Ball(Rational(n_, k + 1), bits)) + log1p(Ball(Rational(n_, C_ - k + 1), bits));
            const auto move = (excess(k, bits) / slope).middle_floor();
            k = std::clamp(k - move, Integer(0), C_);
            if (move <= width && Integer(0) - width <= move) break;
        }
        return k;
    }

    const Integer &C_, &n_, &w_;
};

// ln of the bound cut at `low`, less what the unexplored part of the bracket could still save.
Ball log_at_crossing(const Integer& C, const Integer& n, const Integer& w, const Crossing& at, int bits) {
    const Integer &low = at.low, rest = C - low - 1;
    Ball total = low < 0 ? Ball(bits) : log_multiset(n + 1, low, bits);
    if (rest >= 0) {
        const Ball right = log(Ball(w, bits)) + log_multiset(n + 1, rest, bits);
        total = low < 0 ? right : log_add_exp(total, right);
    }
    if (at.high - low <= 1 || low < 0) return total;
    // Each of the high - low pieces saves at most ((n, low)) (e^-excess - 1), and the bound is at least
    // ((n+1, low)).
    const Ball gap = exp(-Staircase(C, n, w).excess(low, bits)) - Ball(1, bits);
    const Ball saving = Ball(Rational((at.high - low) * n, n + low), bits) * gap;
    return Ball::hull(total, total + log1p(-saving));
}

// A bracket of C 2^-e leaves a relative error of about (n 2^-e)^2 in the bound.
Integer bracket_width(const Integer& C, const Integer& n, int bits) {
    const auto e = static_cast<std::uint64_t>(bits / 2 + n.bits() + 4);
    return std::max(Integer(1), floor_div(C, pow(Integer(2), e)));
}

}  // namespace

Integer staircase_cut(const Integer& gram_factors, const Integer& entries, const Integer& outputs) {
    // Neighbouring degrees differ by about n / C in the logarithm: bits enough to tell them apart.
    const int bits = 64 + static_cast<int>(gram_factors.bits());
    return Staircase(gram_factors, entries, outputs).crossing(1, bits).low + 1;
}

Integer staircase_bound(const Integer& gram_factors, const Integer& entries, const Integer& outputs) {
    if (entries == 0) return 1;
    const Integer tau = staircase_cut(gram_factors, entries, outputs);
    return multiset_or_zero(entries + 1, tau - 1) +
           outputs * multiset_or_zero(entries + 1, gram_factors - tau);
}

Ball staircase_log3(const Integer& gram_factors, const Integer& entries, const Integer& outputs, int bits) {
    if (entries == 0) return Ball(0, bits);
    const Integer width = bracket_width(gram_factors, entries, bits);
    const Crossing at = Staircase(gram_factors, entries, outputs).crossing(width, bits);
    return log_at_crossing(gram_factors, entries, outputs, at, bits) / ln3(bits);
}

Integer full_bound(std::int64_t depth, std::int64_t width) {
    return staircase_bound(gram_count(depth), triangle(width), width);
}

Ball full_bound_log3(std::int64_t depth, const Integer& width, int bits) {
    return staircase_log3(gram_count(depth), triangle(width), width, bits);
}

Integer fix_t4(std::int64_t depth, std::int64_t width, std::int64_t side_a, std::int64_t side_b) {
    const RankVariety a{width, side_a}, b{width, side_b};
    const HilbertFunction a_side = side_a == 1 ? covariant_forms(a) : invariant_forms(a).times(width);
    return crossing_sum(invariant_forms(b), a_side, gram_count(depth));
}

Integer split_bound(std::int64_t depth, std::int64_t width, std::int64_t side_a, std::int64_t side_b) {
    return crossing_sum(invariant_forms({width, side_b}), covariant_forms({width, side_a}),
                        gram_count(depth));
}

Integer balanced_bound(std::int64_t depth, std::int64_t width, std::int64_t context) {
    const std::int64_t half = context / 2, rest = context - half;
    const Integer on_larger = split_bound(depth, width, rest, half);
    return half == rest ? on_larger : std::max(on_larger, split_bound(depth, width, half, rest));
}

Integer HeadShape::first_layer_forms() const {
    const std::int64_t size = std::min(head_dim, width);  // a wider head reads no more than the whole input
    const Integer overlap = std::max<std::int64_t>(0, 2 * size - width);
    const Integer per_head = Integer(size) * size - choose2(overlap);
    return std::min(triangle(width), Integer(heads) * per_head);
}

std::int64_t HeadShape::read_width() const {
    return std::min(Integer(width), Integer(heads) * head_dim).to_int64();
}

Integer HeadShape::seen_entries() const {
    return std::min(triangle(width), first_layer_forms() + triangle(read_width()));
}

// Theorem of CAPACITY section 3, letter for letter: for each degree j in side B the cheapest cut tau.
Integer heads_bound(std::int64_t depth, const HeadShape& shape) {
    const std::int64_t C = gram_count(depth).to_int64(), c1 = gram_count(depth - 1).to_int64();
    const Integer m1 = shape.first_layer_forms(), rest = shape.seen_entries() - m1, w = shape.read_width();
    std::vector<Integer> in_m1, in_rest;
    for (std::int64_t k = 0; k <= C; ++k) in_m1.push_back(multiset(m1, k));
    for (std::int64_t k = 0; k <= c1; ++k) in_rest.push_back(multiset(rest, k));
    const auto term = [&](std::int64_t k, std::int64_t t) {
        return k < 0 ? Integer(0) : in_m1[static_cast<std::size_t>(k)] * in_rest[static_cast<std::size_t>(t)];
    };
    Integer total = 0;
    for (std::int64_t j = 0; j <= C; ++j) {
        Integer rows = 0;  // s <= c1 - tau, starting at tau = 0
        for (std::int64_t s = 0; s <= c1; ++s) rows += w * term(C - j - s, s);
        Integer columns = 0, best = rows;
        for (std::int64_t tau = 1; tau <= c1 + 1; ++tau) {
            columns += term(j - tau + 1, tau - 1);
            rows -= w * term(C - j - (c1 - tau + 1), c1 - tau + 1);
            best = std::min(best, columns + rows);
        }
        total += best;
    }
    return total;
}

Ball heads_layers_lost(const Integer& heads, int bits) {
    const Rational f = Rational(1) - Rational(2, heads);
    if (f * Rational(3) <= Rational(1)) return Ball(0, bits);
    const Ball x(f, bits), y(Rational(1) - f, bits), three(3, bits);
    const Ball first = x * log(three * x);
    const Ball second = f == Rational(1) ? Ball(0, bits) : y * log(three * y / Ball(2, bits));
    return (first + second) / ln3(bits);
}

Integer embedded_entries(std::int64_t rank, std::int64_t outside, std::int64_t positions) {
    if (positions >= rank + outside) return triangle(rank) + Integer(rank) * outside;
    const Integer crossed = Integer(rank) * std::min(outside, positions);
    const std::int64_t s = std::min(rank, std::max<std::int64_t>(0, positions - outside));
    return crossed + Integer(rank) * s - choose2(s);
}

Integer positional_bound(std::int64_t depth, std::int64_t rank, std::int64_t outside) {
    if (outside == 0) return full_bound(depth, rank);
    return staircase_bound(gram_count(depth), triangle(rank) + Integer(rank) * outside, rank + 1);
}

Integer token_entries(std::int64_t vocab, std::int64_t rank, std::int64_t position_rank,
                      std::int64_t shared) {
    const Integer continuous = triangle(rank) + Integer(rank) * (position_rank - shared);
    const Integer others = vocab - 1;  // counts and sums of positions add up to constants over the tokens
    const Integer placed =
        std::min(Integer(rank) * position_rank - choose2(shared), others * Integer(position_rank));
    return std::min(continuous, others + placed);
}

Ball string_cap_log3(const Integer& context, const Integer& vocab, int bits) {
    return Ball(floor_div(context, 2), bits) * log3(Ball(vocab, bits));
}

namespace {

// k_p of a rows split and the depth that counts; k'_p of a columns split, which lags by one layer.
struct MixerVariables {
    Integer per_side;
    std::int64_t effective_depth;
};

MixerVariables rows_split(std::int64_t rows, std::int64_t cols, std::int64_t depth) {
    const Integer half = exact_div(Integer(rows) * cols, 2);
    if (depth == 1) return {1, 1};
    return {depth == 2 ? std::min(Integer(cols), half) : half, depth};
}

MixerVariables cols_split(std::int64_t rows, std::int64_t cols, std::int64_t depth) {
    const Integer half = exact_div(Integer(rows) * cols, 2);
    if (depth <= 2) return {1, depth - 1};
    return {depth == 3 ? std::min(Integer(rows), half) : half, depth - 1};
}

// M(k, p) = ((k+1, 2^(p-1))) + ((k+1, 2^(p-1) - 1)); one for p = 0.
Integer mixer_bound(const MixerVariables& v) {
    if (v.effective_depth == 0) return 1;
    const Integer half = pow(Integer(2), static_cast<std::uint64_t>(v.effective_depth - 1));
    return multiset(v.per_side + 1, half) + multiset(v.per_side + 1, half - 1);
}

Ball mixer_bound_log3(const MixerVariables& v, int bits) {
    if (v.effective_depth == 0) return Ball(0, bits);
    const Integer half = pow(Integer(2), static_cast<std::uint64_t>(v.effective_depth - 1));
    const Ball left = log_multiset(v.per_side + 1, half, bits),
               right = log_multiset(v.per_side + 1, half - 1, bits);
    return log_add_exp(left, right) / ln3(bits);
}

}  // namespace

Integer mixer_rows_bound(std::int64_t rows, std::int64_t cols, std::int64_t depth) {
    return mixer_bound(rows_split(rows, cols, depth));
}
Integer mixer_cols_bound(std::int64_t rows, std::int64_t cols, std::int64_t depth) {
    return mixer_bound(cols_split(rows, cols, depth));
}
Ball mixer_rows_log3(std::int64_t rows, std::int64_t cols, std::int64_t depth, int bits) {
    return mixer_bound_log3(rows_split(rows, cols, depth), bits);
}
Ball mixer_cols_log3(std::int64_t rows, std::int64_t cols, std::int64_t depth, int bits) {
    return mixer_bound_log3(cols_split(rows, cols, depth), bits);
}

Ball mixer_knee(const Integer& rows, const Integer& cols, int bits) {
    return log(Ball(rows * cols, bits) / Ball::euler_e(bits)) / log(Ball(2, bits));
}

Ball knee_depth(const RankVariety& variety, int bits) {
    const Ball delta(variety.dimension(), bits);
    const Ball whole = log3(Ball(4, bits) * delta / Ball::euler_e(bits));
    if (variety.is_whole_space()) return whole;
    return whole - variety.log_degree(bits) / (delta * ln3(bits));
}

Integer defect_rank_one(std::int64_t width) {
    const auto forms = [&](std::int64_t k) { return multiset(width - 1, k); };
    return forms(14) - Integer(2) * forms(12) + forms(10);
}

}  // namespace plimsoll::theory

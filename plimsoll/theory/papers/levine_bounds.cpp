#include "plimsoll/theory/papers/levine_bounds.h"

#include "plimsoll/base/check.h"
#include "plimsoll/theory/numbers/multiset_log.h"

namespace plimsoll::theory {
namespace {

// lambda = 3^(L-2), a fraction at L = 1.
Rational lambda(std::int64_t depth) {
    return depth >= 2 ? Rational(power_of_three(depth - 2)) : Rational(1, power_of_three(2 - depth));
}

// n = (d_x - H) / 2.
Rational half_gap(const AttentionShape& shape) { return {shape.width - shape.heads, Integer(2)}; }

// Bits that keep `bits` of them when the result is a difference of numbers as large as 3^depth.
int deep_bits(std::int64_t depth, int bits) { return bits + static_cast<int>(2 * depth) + 32; }

}  // namespace

std::string depth_regime(std::int64_t depth, const Integer& width) {
    const Integer power = power_of_three(depth);
    if (power == width) return "boundary";
    return power < width ? "efficient" : "inefficient";
}

Ball published_threshold(const Integer& width, int bits) { return log3(Ball(width, bits)); }

Integer t3_upper(const AttentionShape& shape) {
    const auto exponent = static_cast<std::uint64_t>(gram_count(shape.depth).to_int64());
    return pow(shape.width + shape.heads, exponent);
}

Ball t3_upper_log3(const AttentionShape& shape, int bits) {
    return Ball(gram_count(shape.depth), bits) * log3(Ball(shape.width + shape.heads, bits));
}

// [Levine 2020, Thm 4]: sep <= d_x (C+1) ((d_x, 2C)) (2C/d_x + 1)^d_x.
Rational t4_upper(std::int64_t depth, const Integer& width) {
    const Integer C = gram_count(depth);
    const Rational base = Rational(Integer(2) * C, width) + Rational(1);
    return Rational(width * (C + 1) * multiset(width, Integer(2) * C)) *
           pow(base, static_cast<std::uint64_t>(width.to_int64()));
}

Ball t4_upper_log3(std::int64_t depth, const Integer& width, int bits) {
    const Integer C = gram_count(depth);
    const Ball base(Rational(Integer(2) * C, width) + Rational(1), bits);
    const Ball ln = log(Ball(width * (C + 1), bits)) + log_multiset(width, Integer(2) * C, bits) +
                    Ball(width, bits) * log(base);
    return ln / ln3(bits);
}

// [Levine 2020, eq. 7]: 2 d_x L + L - 2 d_x log_3(d_x / 2e) + log_3 d_x.
Ball t2_upper_log3(std::int64_t depth, const Integer& width, int bits) {
    const Ball d(width, bits), L(depth, bits), two(2, bits);
    return two * d * L + L - two * d * log3(d / (two * Ball::euler_e(bits))) + log3(d);
}

Integer ms_lower(const AttentionShape& shape) {
    const Rational n = half_gap(shape);
    PLIMSOLL_CHECK(n.is_integer() && shape.depth >= 2, "ms_lower needs d_x - H even and L >= 2");
    return multiset(n.numerator(), power_of_three(shape.depth - 2));
}

Ball ms_lower_log3(const AttentionShape& shape, int bits) {
    return log_multiset(half_gap(shape), lambda(shape.depth), bits) / ln3(bits);
}

Integer ms_lower_construct(std::int64_t depth, const Integer& heads, const Integer& head_dim) {
    return multiset(heads * floor_div(head_dim - 1, 2), power_of_three(depth - 2));
}

Ball ms_lower_construct_log3(std::int64_t depth, const Integer& heads, const Integer& head_dim, int bits) {
    return log_multiset(heads * floor_div(head_dim - 1, 2), power_of_three(depth - 2), bits) / ln3(bits);
}

// ((n-1)/lambda + 1)^lambda.
Ball mid_k_log3(const AttentionShape& shape, int bits) {
    const Rational l = lambda(shape.depth), n = half_gap(shape);
    return Ball(l, bits) * log3(Ball((n - 1) / l + 1, bits));
}

// (lambda/(n-1) + 1)^(n-1).
Ball mid_n_log3(const AttentionShape& shape, int bits) {
    const Rational l = lambda(shape.depth), m = half_gap(shape) - 1;
    return Ball(m, bits) * log3(Ball(l / m + 1, bits));
}

Rational t1_lower_exact(const AttentionShape& shape) {
    const Rational l = lambda(shape.depth);
    PLIMSOLL_CHECK(l.is_integer(), "the exact form needs L >= 2");
    return pow(half_gap(shape) / l, static_cast<std::uint64_t>(l.numerator().to_int64()));
}

// [Levine 2020, eq. 6]: 3^(L-2) (log_3(d_x - H) - L + 2 - log_3 2).
Ball t1_lower_log3(const AttentionShape& shape, int bits) {
    const Rational l = lambda(shape.depth);
    return Ball(l, bits) * log3(Ball(half_gap(shape) / l, bits));
}

// [Levine 2020, eq. 7]: d_x L / 2 - L (H/2 + 1) - d_x (1 + log_3((d_x - H)/2) / 2).
Ball t2_lower_log3(const AttentionShape& shape, int bits) {
    const Ball d(shape.width, bits), L(shape.depth, bits), H(shape.heads, bits), one(1, bits), two(2, bits);
    return d * L / two - L * (H / two + one) - d * (one + log3((d - H) / two) / two);
}

Rational lemma2_right_side(std::int64_t n, std::int64_t k, const Integer& total) {
    Rational product = 1;
    for (std::int64_t t = 1; t < n; ++t) product = product * (Rational(total, k) + Rational(t)) / Rational(t);
    return pow(product, static_cast<std::uint64_t>(k));
}

Ball lemma3_right_side_log3(const Integer& n, const Integer& k, int bits) {
    const Ball base = Ball(2, bits) * Ball::euler_e(bits) * Ball(Rational(n + k, n), bits);
    return Ball(n, bits) * log3(base);
}

Ball multiset_lower_log3(const Integer& n, const Integer& k, int bits) {
    const Rational m = Rational(n - 1);
    const Ball by_k = Ball(k, bits) * log3(Ball(m / Rational(k) + 1, bits));
    const Ball by_n = Ball(m, bits) * log3(Ball(Rational(k) / m + 1, bits));
    return max(by_k, by_n);
}

Ball corollary1_min_width(const AttentionShape& deep, std::int64_t shallow_depth, DeepLower which, int bits) {
    const int work = deep_bits(deep.depth, bits);
    const Ball lower = which == DeepLower::eq6    ? t1_lower_log3(deep, work)
                       : which == DeepLower::midk ? mid_k_log3(deep, work)
                                                  : ms_lower_log3(deep, work);
    return pow(Ball(3, work), lower / Ball(gram_count(shallow_depth), work)) - Ball(deep.heads, work);
}

Ball corollary2_beta1(std::int64_t depth, const Integer& width, int bits) {
    return log3(Ball(width, bits)) / Ball(depth, bits);
}

Ball bracketed_root(const std::function<Ball(const Ball&)>& rising, const Rational& low, const Rational& high,
                    int bits) {
    Ball left(low, bits), right(high, bits);
    const Ball two(2, bits), zero(0, bits);
    for (int step = 0; step < bits; ++step) {
        // The middle need not be exact: any exact point between the ends will do.
        const Ball middle = ((left + right) / two).lower_end();
        const Verdict negative = less(rising(middle), zero);
        if (negative == Verdict::undecided) break;
        (negative == Verdict::proved ? left : right) = middle;
    }
    return Ball::hull(left, right);
}

Ball corollary2_beta2(const AttentionShape& deep, int bits) {
    const int work = bits + 64;
    const Ball d(deep.width, work), H(deep.heads, work), target = t2_upper_log3(deep.depth, deep.width, work);
    const auto gain = [&](const Ball& b) {
        const Ball shallow_width = pow(Ball(3, work), b) * d;
        const Ball bracket =
            log3(shallow_width - H) - log3(shallow_width) + Ball(2, work) - log3(Ball(2, work));
        return shallow_width / Ball(9, work) * bracket - target;
    };
    const Ball zero(0, work);
    if (less(gain(zero), zero) == Verdict::refuted) return zero;
    std::int64_t high = 1;
    while (less(gain(Ball(high, work)), zero) != Verdict::refuted) high *= 2;
    return bracketed_root(gain, 0, high, work);
}

Ball table1_depth(const Integer& size, int bits) {
    const int work = bits + 32;
    const Ball target = log(Ball(size, work)) - log(Ball(12, work));
    const auto excess = [&](const Ball& L) { return log(L) + L * log(Ball(9, work)) - target; };
    return bracketed_root(excess, Rational(Integer(1), pow(Integer(2), 64)), Rational(size.bits() + 1), work);
}

namespace {

Integer table1_size(std::int64_t depth) {
    return Integer(12) * depth * pow(Integer(9), static_cast<std::uint64_t>(depth));
}

}  // namespace

Integer table1_depth_ceil(const Integer& size) {
    std::int64_t depth = 0;
    while (table1_size(depth) < size) ++depth;
    return depth;
}

// L rounds down iff 12 (n + 1/2) 9^(n + 1/2) > size, that is (6 (2n+1))^2 9^(2n+1) > size^2 with n = floor L.
Integer table1_depth_round(const Integer& size) {
    const std::int64_t above = table1_depth_ceil(size).to_int64();
    if (above == 0 || table1_size(above) == size) return above;
    const std::int64_t below = above - 1;
    const Integer half = Integer(6) * (2 * below + 1);
    const Integer half_squared = half * half * pow(Integer(9), static_cast<std::uint64_t>(2 * below + 1));
    return half_squared > size * size ? below : above;
}

Integer grouping_implied(std::int64_t depth, std::int64_t width) {
    Integer total = 0;
    const std::int64_t C = gram_count(depth).to_int64();
    for (std::int64_t E = 0; E <= C; ++E) total += multiset(width, 2 * E);
    return total;
}

}  // namespace plimsoll::theory

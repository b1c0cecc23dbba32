#include "plimsoll/theory/capacity/fast_capacity.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "plimsoll/theory/capacity/selberg_bound.h"
#include "plimsoll/theory/numbers/special_fast.h"

namespace plimsoll::theory::fast {
namespace {

const double log_3 = std::log(3.0);

// The crossing of the two sides for N >= 2d: the last degree k with ((D, k)) <= d ((D, C-k)), by Newton from
// the linear guess.
double crossing_degree(double C, double width) {
    const double D = width * (width + 1) / 2, log_width = std::log(width);
    const auto excess = [&](double k) { return log_multiset(D, k) - log_multiset(D, C - k) - log_width; };
    double K = std::clamp(std::floor(C / 2 + log_width / (2 * std::log1p(2 * D / C))), 0.0, C);
    for (int step = 0; step < 12; ++step) {
        const double slope = std::log1p(D / (K + 1)) + std::log1p(D / (C - K + 1));
        const double before = K;
        K = std::clamp(K - std::round(excess(K) / slope), 0.0, C);
        // The bound is flat at its minimum: 1e-9 of C is far closer than needed.
        if (std::abs(K - before) <= 1e-9 * C) break;
    }
    if (C > 1e15) return K;  // neighbours are closer than the rounding
    // A few steps to the very crossing; width 1 has none, every cut is the same there.
    constexpr int last_steps = 64;
    for (int step = 0; step < last_steps && K > 0 && excess(K) > 0; ++step) --K;
    for (int step = 0; step < last_steps && K < C && excess(K + 1) <= 0; ++step) ++K;
    return K;
}

// ln of ((D+1, K)) + d ((D+1, C-1-K)) at the crossing K.
double full(double C, double K, double width) {
    const double D = width * (width + 1) / 2;
    const double left = log_multiset(D + 1, K);
    return K >= C ? left : log_add(left, std::log(width) + log_multiset(D + 1, C - 1 - K));
}

struct Side {
    double d, q, delta, codimension, log_deg;
};

Side side_of(double d, double q) {
    return {d, q, q * d - q * (q - 1) / 2, (d - q) * (d - q + 1) / 2, log_degree(d, q)};
}

// Beyond the knee: min over t of ln deg + M ln((1+sqrt t)/2) - (delta+1) ln(1-t) - K ln t, M = q (d-q+1), by
// Newton in x = -ln t.
double beyond_knee(const Side& s, double K) {
    const double M = s.q * (s.d - s.q + 1), n = s.delta + 1;
    constexpr double squares_overflow = 1e120;
    if (K > squares_overflow) {  // x = n / K to all digits
        return s.log_deg + n - n * std::log(n / K) - std::log(K) - std::log(2 * std::numbers::pi / n) / 2;
    }
    double x = std::log1p(n / K), bend = 1;
    for (int step = 0; step < 12; ++step) {
        const double half = std::exp(-x / 2), whole = std::exp(-x), rest = -std::expm1(-x);
        const double slope = K - n * whole / rest - M * half / (2 * (1 + half));
        bend = n * whole / (rest * rest) + M * half / (4 * (1 + half) * (1 + half));
        const double move = std::clamp(-slope / bend, -0.5 * x, 4.0);
        x += move;
        if (std::abs(move) < 1e-9 * x) break;
    }
    return s.log_deg + M * std::log((1 + std::exp(-x / 2)) / 2) - n * std::log(-std::expm1(-x)) + K * x -
           std::log(2 * std::numbers::pi * bend) / 2;
}

// While q >= 2 d s / (1 + s), s^2 the free saddle, the typical forms of degree K have rank below q anyway
// (the eigenvalue density of the average over O(q) is then positive everywhere), and the count is that of the
// whole ring.
bool rank_is_free(const Side& s, double K) {
    const double root = std::sqrt(K / (K + s.delta + s.codimension + 1));
    return s.q >= 2 * s.d * root / (1 + root);
}

double half_sum(const Side& s, double K, bool past_knee) {
    const double ring = log_multiset(s.delta + s.codimension + 1, K);
    if (K <= s.q || rank_is_free(s, K)) return ring;
    const double far = beyond_knee(s, K);
    if (past_knee) return std::min(ring, far);
    // Between the two regimes: the count lies between `far` and Selberg's bound, which is about q ln 2 above
    // it.
    const double selberg = selberg_upper_estimate(s.d, s.q, K) - s.q * std::numbers::ln2;
    return std::min(ring, std::max(far, selberg));
}

// From the degree on at which C/2 lies a layer past the knee, where it is delta deg^(-1/delta) / e.
double past_knee_degree(const Side& s) { return 3 * s.delta * std::exp(-1 - s.log_deg / s.delta); }

double cumulative(const Side& s, double K) {
    if (s.q >= s.d) return log_multiset(s.d * (s.d + 1) / 2 + 1, K);
    return half_sum(s, K, K > past_knee_degree(s));
}

constexpr double fewest_for_mean = 12;  // from here on odd N lies midway between its neighbours to 0.1 %

// ln of H(k) + min(d H(C-1-k), q H(C-k)) at the best of the first cuts past the middle: few layers.
double short_sum(const Side& s, double C) {
    const auto cut_at = [&](double k) {
        const double other =
            std::min(std::log(s.d) + cumulative(s, C - 1 - k), std::log(s.q) + cumulative(s, C - k));
        return log_add(cumulative(s, k), other);
    };
    const double half = std::floor(C / 2);
    return std::min({cut_at(half), cut_at(half + 1), cut_at(half + 2)});
}

// The sides meet where a ~ q h balances h, a factor sqrt(q) past the middle, and there are two of them.
double log_equal_sides(const Side& s, double C) {
    constexpr double short_chain = 121;  // five layers
    if (s.q >= s.d) return cumulative(s, std::floor(C / 2)) + std::log(2.0) + std::log(s.d) / 2;
    if (C <= short_chain) return short_sum(s, C);
    return cumulative(s, std::floor(C / 2)) + std::log(2.0) + std::log(s.q) / 2;
}

// ln of the sum where the two parts, the smaller side's forms up to degree C-s and the larger side's up to s,
// are equal; `ahead` is ln q_A if the output lies on the smaller side, else its negative. By the secant
// method in ln(1+s), kept inside its bracket: for odd N the sides meet far from the middle. A thousandth is
// far closer than the estimates of H.
double unequal_sides(const Side& larger, const Side& smaller, double ahead, double C) {
    constexpr double close = 1e-3;
    constexpr int most_steps = 12;
    const double on_smaller = std::max(0.0, ahead), on_larger = std::max(0.0, -ahead);
    double low = 0, high = std::log1p(ahead > 0 ? C : C / 2), x = std::log1p(C / 2), last_x = 0, last_gap = 0;
    for (int step = 0; step < most_steps; ++step) {
        const double from_smaller = on_smaller + cumulative(smaller, C - std::expm1(x)),
                     from_larger = on_larger + cumulative(larger, std::expm1(x));
        const double gap = from_smaller - from_larger;
        if (step == 0 && gap > 0)
            return log_add(from_smaller, from_larger);  // they meet past the middle of a short chain
        if (std::abs(gap) <= std::max(0.5, close * from_smaller) || high - low < 1e-9) {
            return (from_larger + from_smaller) / 2 + std::numbers::ln2;
        }
        (gap > 0 ? low : high) = x;
        const double secant =
            step == 0 ? x * (1 + gap / from_larger / 2) : x - gap * (x - last_x) / (gap - last_gap);
        last_x = x, last_gap = gap;
        x = secant > low && secant < high ? secant : (low + high) / 2;
    }
    return on_smaller + cumulative(smaller, C - std::expm1(high)) + std::numbers::ln2;
}

// The larger of both splits of an odd number of positions: the output on the larger or on the smaller side.
double log_odd_positions(double width, double half, double C) {
    const Side larger = side_of(width, half + 1), smaller = side_of(width, half);
    return std::max(unequal_sides(larger, smaller, -std::log(std::min(half + 1, width)), C),
                    unequal_sides(larger, smaller, std::log(half), C));
}

}  // namespace

// The products over a of (d+a)! a! / ((q+2a)! (2a+1)!) as ratios of Barnes' G; see RankVariety::log_degree.
double log_degree(double d, double q) {
    const double c = d - q;
    if (c <= 0) return 0;
    const auto g = [](double z) { return log_barnes_g1(z - 1); };
    const auto run = [&](double x) { return g(x + c + 1) - g(x + 1); };
    const auto even_run = [&](double x) {
        const double z = x / 2;
        return g(z + c) - g(z) + g(z + 0.5 + c) - g(z + 0.5) +
               (c * (x - 1) + c * (c - 1)) * std::numbers::ln2 - c / 2 * std::log(std::numbers::pi);
    };
    return run(d) + run(0) - even_run(q + 1) - even_run(2);
}

double log_cumulative_forms(double d, double q, double K) { return cumulative(side_of(d, q), K); }

double gram_factors(double depth) { return std::floor((std::pow(3.0, depth) - 1) / 2 + 0.5); }

double capacity_log3(double depth, double width, double context) {
    constexpr double powers_fit = 600;  // 3^600 is a double; from there on every layer adds delta
    if (depth > powers_fit) {
        const double side = std::min(width, std::floor(context / 2));
        return capacity_log3(powers_fit, width, context) + (depth - powers_fit) * side_of(width, side).delta;
    }
    const double q = std::floor(context / 2), other = context - q;
    const double C = gram_factors(depth), crossed = crossing_degree(C, width);
    const double whole = full(C, crossed, width);
    const bool free = crossed + 1 <= q || (C <= 2 * q && crossed + 1 <= other);
    if (q >= width || free) return whole / log_3;               // every form that counts is free
    if (other == 1) return log_multiset(width + 1, C) / log_3;  // N = 2: every degree once
    if (other == q) return std::min(whole, log_equal_sides(side_of(width, q), C)) / log_3;
    if (q < fewest_for_mean) {
        return std::min(whole, log_odd_positions(width, q, C)) / log_3;
    }
    const double fewer = log_equal_sides(side_of(width, q), C),
                 more = log_equal_sides(side_of(width, other), C);
    return std::min(whole, (fewer + std::min(whole, more)) / 2) / log_3;
}

double knee_depth(double width, double context) {
    const double q = std::min(width, std::floor(context / 2));
    const double delta = q * width - q * (q - 1) / 2;
    return (std::log(4 * delta) - 1 - log_degree(width, q) / delta) / log_3;
}

}  // namespace plimsoll::theory::fast

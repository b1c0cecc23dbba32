#include "plimsoll/theory/capacity/hilbert.h"

#include <algorithm>
#include <functional>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/capacity/modular_series.h"
#include "plimsoll/theory/capacity/orthogonal_average.h"
#include "plimsoll/theory/numbers/multiset_log.h"

namespace plimsoll::theory {
namespace {

// The first `count` coefficients of (1 - t)^power * series.
std::vector<Integer> times_one_minus_t(const std::vector<Integer>& series, const Integer& power,
                                       std::size_t count) {
    std::vector<Integer> binomials;
    for (std::size_t i = 0; i < count; ++i) {
        binomials.push_back(binomial(power, static_cast<std::int64_t>(i)) * Integer(i % 2 == 0 ? 1 : -1));
    }
    std::vector<Integer> out(count);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j <= i; ++j) out[i] += series[j] * binomials[i - j];
    }
    return out;
}

// Every second coefficient, from `first` on.
std::vector<Integer> every_second(const std::vector<Integer>& series, std::size_t first) {
    std::vector<Integer> out;
    for (std::size_t i = first; i < series.size(); i += 2) out.push_back(series[i]);
    return out;
}

void drop_trailing_zeros(std::vector<Integer>& values) {
    while (values.size() > 1 && values.back() == 0) values.pop_back();
}

// Weyl: dim S_rows(C^d) = prod_{i<j} (rows_i - rows_j + j - i) / (j - i).
Integer schur_dimension(std::vector<std::int64_t> rows, std::int64_t d) {
    rows.resize(static_cast<std::size_t>(d), 0);
    Integer above = 1, below = 1;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = i + 1; j < rows.size(); ++j) {
            const auto gap = static_cast<std::int64_t>(j - i);
            above *= rows[i] - rows[j] + gap;
            below *= gap;
        }
    }
    return exact_div(above, below);
}

// Calls `visit` with every partition of `total` into at most `rows` parts, each at most `largest`.
void for_each_partition(std::int64_t total, std::int64_t rows, std::int64_t largest,
                        std::vector<std::int64_t>& parts,
                        const std::function<void(const std::vector<std::int64_t>&)>& visit) {
    if (total == 0) return visit(parts);
    if (rows == 0) return;
    for (std::int64_t part = std::min(total, largest); part >= 1; --part) {
        parts.push_back(part);
        for_each_partition(total - part, rows - 1, part, parts, visit);
        parts.pop_back();
    }
}

}  // namespace

Integer RankVariety::ambient() const { return exact_div(Integer(d) * (d + 1), 2); }

Integer RankVariety::dimension() const {
    if (is_whole_space()) return ambient();
    return Integer(q) * d - exact_div(Integer(q) * (q - 1), 2);
}

Integer RankVariety::degree() const {
    Integer above = 1, below = 1;
    for (std::int64_t a = 0; a < d - q; ++a) {
        above *= binomial(d + a, d - q - a);
        below *= binomial(2 * a + 1, a);
    }
    return exact_div(above, below);
}

// binom(d+a, c-a) / binom(2a+1, a) = (d+a)! a! (a+1)! / ((c-a)! (q+2a)! (2a+1)!), c = d - q. Over all a < c
// the (a+1)! and the (c-a)! cancel; the products of (x+a)! and of (x+2a)! are ratios of Barnes' G, the latter
// by duplication.
Ball RankVariety::log_degree(int bits) const {
    if (is_whole_space()) return Ball(0, bits);
    const std::int64_t c = d - q;
    const int work = bits + 2 * cancellation_bits(Integer(2 * d + 2)) + 16;
    const auto g = [work](const Rational& z) { return log_barnes_g(z, work); };
    // sum_{a<c} ln (x + a)!
    const auto run = [&](std::int64_t x) { return g(Rational(x + c + 1)) - g(Rational(x + 1)); };
    // sum_{a<c} ln Gamma(x + 2a), by Gamma(2z) = 2^(2z-1) Gamma(z) Gamma(z+1/2) / sqrt(pi).
    const auto even_run = [&](std::int64_t x) {
        const Rational z(Integer(x), Integer(2)), half(Integer(1), Integer(2));
        const Ball gammas = g(z + Rational(c)) - g(z) + g(z + half + Rational(c)) - g(z + half);
        const Ball twos = Ball(Integer(c) * (x - 1) + Integer(c) * (c - 1), work) * log(Ball(2, work));
        return gammas + twos - Ball(Rational(Integer(c), Integer(2)), work) * log(Ball::pi(work));
    };
    const Ball total = run(d) + run(0) - even_run(q + 1) - even_run(2);
    return total + Ball(0, bits);
}

std::int64_t RankVariety::h_length() const {
    if (is_whole_space()) return 0;
    return (d - q) % 2 == 1 ? q * (d - q + 1) / 2 : q * (d - q) / 2;
}

Rational RankVariety::h_mean() const {
    if (is_whole_space()) return 0;
    return {Integer(q) * (d - q + 1), Integer(4)};
}

HilbertFunction HilbertFunction::times(const Integer& factor) const {
    std::vector<Integer> scaled;
    for (const auto& term : numerator_) scaled.push_back(term * factor);
    return {dimension_, std::move(scaled)};
}

Integer HilbertFunction::sum(const Integer& variables, const Integer& degree) const {
    Integer total = 0;
    for (std::size_t i = 0; i < numerator_.size(); ++i) {
        const Integer rest = degree - static_cast<std::int64_t>(i);
        if (rest >= 0) total += numerator_[i] * multiset(variables, rest);
    }
    return total;
}

// (q/2)^3 / 3 products of series of two terms per degree; the coefficients grow with d. Measured: (40, 20) 3
// s, (64, 8) 0.4 s.
double exact_seconds(const RankVariety& variety, double count) {
    const double size = static_cast<double>(variety.q) / 2 + 1;
    return 1e-8 * size * size * size * 4 * count * count * (1 + static_cast<double>(variety.d) / 128);
}

double exact_seconds(const RankVariety& variety) {
    if (variety.is_whole_space()) return 0;
    return exact_seconds(variety,
                         static_cast<double>(variety.q) * static_cast<double>(variety.d - variety.q + 1) / 2);
}

bool exact_is_feasible(const RankVariety& variety) { return exact_seconds(variety) < 5; }

HilbertFunction invariant_forms(const RankVariety& variety) {
    if (variety.is_whole_space()) return {variety.ambient(), {Integer(1)}};
    auto numerator = modular_h_vector(variety);
    Integer total = 0;
    for (const auto& term : numerator) total += term;
    PLIMSOLL_CHECK(total == variety.degree(), "the h-vector must sum to the degree");
    return {variety.dimension(), std::move(numerator)};
}

HilbertFunction covariant_forms(const RankVariety& variety) {
    if (variety.is_whole_space()) return {variety.ambient(), {Integer(variety.d)}};
    // The functional equation of the average bounds the numerator's degree by (q (d - q + 1) - 1) / 2; one
    // more must vanish.
    const auto count = static_cast<std::size_t>(variety.q * (variety.d - variety.q + 1) / 2 + 2);
    const auto series =
        every_second(covariant_series(variety.d, variety.q, static_cast<std::int64_t>(2 * count)), 1);
    auto numerator = times_one_minus_t(series, variety.dimension(), count);
    PLIMSOLL_CHECK(numerator.back() == 0, "the numerator of the covariants must end");
    drop_trailing_zeros(numerator);
    return {variety.dimension(), std::move(numerator)};
}

Integer invariant_forms_by_partitions(const RankVariety& variety, std::int64_t degree) {
    Integer total = 0;
    std::vector<std::int64_t> parts;
    for_each_partition(degree, std::min(variety.q, variety.d), degree, parts, [&](const auto& lambda) {
        std::vector<std::int64_t> rows;
        for (const auto part : lambda) rows.push_back(2 * part);
        total += schur_dimension(std::move(rows), variety.d);
    });
    return total;
}

Integer covariant_forms_by_partitions(const RankVariety& variety, std::int64_t degree) {
    Integer total = 0;
    std::vector<std::int64_t> parts;
    const std::int64_t boxes = 2 * degree + 1;
    for_each_partition(boxes, std::min(variety.q, variety.d), boxes, parts, [&](const auto& mu) {
        const auto odd_rows = std::count_if(mu.begin(), mu.end(), [](auto row) { return row % 2 == 1; });
        if (odd_rows == 1) total += schur_dimension(mu, variety.d);
    });
    return total;
}

namespace {

// Near the last k with b(k) <= a(C - k), by the secant rule on the logarithms, which are about those of
// powers.
Integer crossing_guess(const HilbertFunction& b_side, const HilbertFunction& a_side, const Integer& C) {
    const int bits = 2 * static_cast<int>(C.bits()) + 64;
    const auto excess = [&](const Integer& k) {
        return log(Ball(b_side.at(k), bits)) - log(Ball(a_side.at(C - k), bits));
    };
    Integer before = floor_div(C, 3), k = floor_div(C, 2);
    Ball excess_before = excess(before);
    for (int step = 0; step < 40 && k != before; ++step) {
        const Ball here = excess(k), move = here * Ball(k - before, bits) / (here - excess_before);
        if (!move.is_finite()) break;
        before = k;
        excess_before = here;
        k = std::clamp(k - move.middle_floor(), Integer(1), C - 1);
    }
    return k;
}

}  // namespace

Integer crossing_sum(const HilbertFunction& b_side, const HilbertFunction& a_side,
                     const Integer& total_degree) {
    // K = the largest k with b(k) <= a(C - k); b rises and a(C - k) falls, so bisect, and for degrees of many
    // digits only around the guess.
    const auto below = [&](const Integer& k) { return b_side.at(k) <= a_side.at(total_degree - k); };
    Integer low = -1, high = total_degree + 1;
    constexpr std::int64_t short_search_bits = 64;
    if (total_degree.bits() > short_search_bits) {
        Integer reach = 1;
        const Integer guess = crossing_guess(b_side, a_side, total_degree);
        for (Integer probe = guess; probe > low && probe < high; reach *= 2) {
            const bool is_below = below(probe);
            (is_below ? low : high) = probe;
            probe = is_below ? probe + reach : probe - reach;
            if (low >= 0 && high <= total_degree) break;
        }
    }
    while (high - low > 1) {
        const Integer middle = floor_div(low + high, 2);
        (below(middle) ? low : high) = middle;
    }
    return b_side.cumulative(low) + a_side.cumulative(total_degree - low - 1);
}

}  // namespace plimsoll::theory

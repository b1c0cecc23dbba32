#include "plimsoll/theory/capacity/capacity_by_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/capacity/modular_series.h"
#include "plimsoll/theory/capacity/orthogonal_average.h"
#include "plimsoll/theory/numbers/multiset_log.h"

namespace plimsoll::theory {
namespace {

constexpr double affordable_seconds = 0.2;
constexpr std::int64_t longest_series = 8;

struct Question {
    std::int64_t depth, width, side_a, side_b;
    [[nodiscard]] RankVariety a() const { return {width, side_a}; }
    [[nodiscard]] RankVariety b() const { return {width, side_b}; }
    [[nodiscard]] Integer C() const { return gram_count(depth); }
};

// Numerators of Hilbert functions are kept: a scan over depths asks for the same variety again and again.
const std::vector<Integer>& kept(const RankVariety& variety, bool covariants) {
    static std::mutex guard;
    static std::map<std::array<std::int64_t, 3>, std::vector<Integer>> store;
    const std::scoped_lock lock(guard);
    const std::array<std::int64_t, 3> key{variety.d, variety.q, covariants ? 1 : 0};
    if (const auto found = store.find(key); found != store.end()) return found->second;
    const HilbertFunction function = covariants ? covariant_forms(variety) : invariant_forms(variety);
    return store.emplace(key, function.numerator()).first->second;
}

// factor * sum_i numerator[i] ((variables, degree + shift - i)), as a function of the degree.
struct SideFunction {
    const std::vector<Integer>& numerator;
    Integer variables;
    Integer factor = 1;
    std::int64_t shift = 0;

    [[nodiscard]] Ball log_at(const Integer& degree, int bits) const {
        return log_sum(variables, degree, bits);
    }
    [[nodiscard]] Ball log_cumulative(const Integer& degree, int bits) const {
        return log_sum(variables + 1, degree, bits);
    }

  private:
    [[nodiscard]] Ball log_sum(const Integer& n, const Integer& degree, int bits) const {
        Ball total(bits);
        bool any = false;
        for (std::size_t i = 0; i < numerator.size(); ++i) {
            const Integer rest = degree + shift - static_cast<std::int64_t>(i);
            if (rest < 0 || numerator[i] == 0) continue;
            const Ball term = log(Ball(numerator[i], bits)) + log_multiset(n, rest, bits);
            total = any ? log_add_exp(total, term) : term;
            any = true;
        }
        PLIMSOLL_CHECK(any, "a Hilbert function is positive in every degree it is asked for");
        return total + log(Ball(factor, bits));
    }
};

// The sides meet between `low`, where B is the smaller one, and `high`, where A is.
struct MeetingDegrees {
    Integer low, high;
};

// A bracket of 2^-e times the smaller degree, which is C - k (tiny for deep networks and odd N), leaves a
// relative error of about (n 2^-e)^2 in the sum, as in the staircase. A tie that four times the precision
// cannot decide goes to B: the sum is then the same either way.
MeetingDegrees meeting_degrees(const SideFunction& b, const SideFunction& a, const Integer& C, int bits) {
    const auto b_smaller = [&](const Integer& k) {
        const auto from_a = [&](int work) { return a.log_at(C - k, work); };
        const auto from_b = [&](int work) { return b.log_at(k, work); };
        return decide_less(from_a, from_b, 4 * bits) != Verdict::proved;
    };
    const auto e = static_cast<std::uint64_t>(bits / 2 + b.variables.bits() + 4);
    const auto wanted = [&](const Integer& degree) {
        return std::max(Integer(1), floor_div(degree, pow(Integer(2), e)));
    };
    Integer low = floor_div(C, 2), reach = wanted(C), high = C + 1;
    while (low + reach < high && b_smaller(low + reach)) {
        low += reach;
        reach *= 2;
    }
    high = std::min(high, low + reach);
    while (high - low > wanted(C - low)) {
        const Integer probe = floor_div(low + high, 2);
        (b_smaller(probe) ? low : high) = probe;
    }
    return {low, high};
}

// log_3 of the sum cut at `cut`: an upper bound of the sum of minima for any cut.
Ball cut_log3(const SideFunction& b, const SideFunction& a, const Integer& C, const Integer& cut, int bits) {
    Ball total = b.log_cumulative(cut, bits);
    if (cut < C) total = log_add_exp(total, a.log_cumulative(C - cut - 1, bits));
    return total / log(Ball(3, bits));
}

// log_3 of the sum of minima itself: cut at the low end, less what the pieces inside the bracket could still
// save, each at most a(C - low) - b(low).
Ball minima_log3(const SideFunction& b, const SideFunction& a, const Integer& C, const MeetingDegrees& at,
                 int bits) {
    const Ball total = cut_log3(b, a, C, at.low, bits);
    if (at.high - at.low <= 1) return total;
    const Ball unit = ln3(bits), a_low = a.log_at(C - at.low, bits), gap = a_low - b.log_at(at.low, bits);
    const Ball saving =
        Ball(at.high - at.low, bits) * exp(a_low - total * unit) * (Ball(1, bits) - exp(-gap));
    return Ball::hull(total, total + log1p(-max(saving, Ball(0, bits))) / unit);
}

Enclosure by_h_vector(const Question& x, int bits) {
    const SideFunction b{kept(x.b(), false), x.b().dimension()}, a{kept(x.a(), true), x.a().dimension()};
    const Ball kappa = minima_log3(b, a, x.C(), meeting_degrees(b, a, x.C(), bits), bits);
    return {kappa, kappa, "h-vector"};
}

Enclosure by_series(const Question& x, int bits) {
    const std::int64_t C = x.C().to_int64(), terms = 2 * C + 2;
    const auto h = invariant_series(x.width, x.side_b, terms), a = covariant_series(x.width, x.side_a, terms);
    Integer total = 0;
    for (std::int64_t k = 0; k <= C; ++k) {
        total += std::min(h[static_cast<std::size_t>(2 * k)], a[static_cast<std::size_t>(2 * (C - k) + 1)]);
    }
    const Ball kappa = log3(Ball(total, bits));
    return {kappa, kappa, "series"};
}

Enclosure by_invariant_series(const Question& x, int bits) {
    const std::int64_t C = x.C().to_int64();
    const auto values = [&](const RankVariety& variety) {
        if (!variety.is_whole_space()) return modular_invariants(variety, C + 2);
        std::vector<Integer> all;
        for (std::int64_t k = 0; k < C + 2; ++k) all.push_back(multiset(variety.ambient(), k));
        return all;
    };
    const auto on_a = values(x.a()), on_b = x.side_a == x.side_b ? on_a : values(x.b());
    Integer low = 0, high = 0;
    for (std::int64_t k = 0; k <= C; ++k) {
        const Integer& b = on_b[static_cast<std::size_t>(k)];
        const Integer &here = on_a[static_cast<std::size_t>(C - k)],
                      &next = on_a[static_cast<std::size_t>(C - k + 1)];
        const Integer rows = std::min(x.side_a, x.width);
        low += std::min(b, here * rows);
        high += std::min({b, here * x.width, next * rows});
    }
    return {log3(Ball(low, bits)).lower_end(), log3(Ball(high, bits)).upper_end(), "series"};
}

double series_seconds(const RankVariety& variety, const Integer& C) {
    if (variety.is_whole_space()) return 0;
    const double bits = log_multiset(variety.ambient(), C + 2, 64).middle() / std::log(2.0);
    return modular_seconds(variety, C.to_double() + 2, bits);
}

}  // namespace

std::optional<Enclosure> enclose_by_values(std::int64_t depth, std::int64_t width, std::int64_t side_a,
                                           std::int64_t side_b, int bits) {
    const Question x{depth, width, side_a, side_b};
    const RankVariety larger = x.a().is_whole_space() ? x.b() : x.a();
    if (exact_seconds(larger) < affordable_seconds) return by_h_vector(x, bits);
    const bool short_sum = depth <= longest_series;
    if (short_sum && exact_seconds(larger, x.C().to_double() + 1) < affordable_seconds)
        return by_series(x, bits);
    if (!short_sum) return std::nullopt;
    const double other = side_a == side_b ? 0 : series_seconds(x.b(), x.C());
    if (series_seconds(x.a(), x.C()) + other > affordable_seconds) return std::nullopt;
    return by_invariant_series(x, bits);
}

}  // namespace plimsoll::theory

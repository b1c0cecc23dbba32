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

// Finds where the sides meet. For odd N that is far from C/2: at k nearly C when A has the odd position, at k
// nearly 0 when B has it.
class MeetingSearch {
  public:
    MeetingSearch(const SideFunction& b, const SideFunction& a, const Integer& C, int bits)
        : b_(b), a_(a), C_(C), bits_(bits) {}

    // A bracket of 2^-e times the smaller degree leaves a relative error of about (n 2^-e)^2 in the sum, as
    // in the staircase.
    [[nodiscard]] MeetingDegrees found() const {
        const Integer half = floor_div(C_, 2);
        MeetingDegrees at = b_smaller(half) ? above(half) : below(half);
        while (at.high - at.low > wanted(std::min(at.low, C_ - at.low))) {
            const Integer probe = floor_div(at.low + at.high, 2);
            (b_smaller(probe) ? at.low : at.high) = probe;
        }
        return at;
    }

  private:
    // A tie that four times the precision cannot decide goes to B: the sum is then the same either way.
    [[nodiscard]] bool b_smaller(const Integer& k) const {
        const auto from_a = [&](int work) { return a_.log_at(C_ - k, work); };
        const auto from_b = [&](int work) { return b_.log_at(k, work); };
        return decide_less(from_a, from_b, 4 * bits_) != Verdict::proved;
    }
    [[nodiscard]] Integer wanted(const Integer& degree) const {
        const auto e = static_cast<std::uint64_t>(bits_ / 2 + b_.variables.bits() + 4);
        return std::max(Integer(1), floor_div(degree, pow(Integer(2), e)));
    }
    [[nodiscard]] MeetingDegrees above(Integer low) const {
        Integer reach = wanted(C_);
        while (low + reach <= C_ && b_smaller(low + reach)) {
            low += reach;
            reach *= 2;
        }
        return {low, std::min(C_ + 1, low + reach)};
    }
    // B has one form of degree 0, never more than A's: the search ends there at the latest.
    [[nodiscard]] MeetingDegrees below(Integer high) const {
        Integer low = floor_div(high, 2);
        while (low > 0 && !b_smaller(low)) {
            high = low;
            low = floor_div(low, 2);
        }
        return {low, high};
    }

    const SideFunction &b_, &a_;
    const Integer& C_;
    int bits_;
};

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
    const Integer C = x.C();
    const Ball kappa = minima_log3(b, a, C, MeetingSearch(b, a, C, bits).found(), bits);
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

// Seconds of the more expensive side; nothing is counted for a side that rank does not bind.
template <class Seconds>
double dearer_side(const Question& x, Seconds seconds) {
    double most = 0;
    for (const RankVariety& side : {x.a(), x.b()})
        if (!side.is_whole_space()) most = std::max(most, seconds(side));
    return most;
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
    const auto all_degrees = [](const RankVariety& side) { return exact_seconds(side); };
    const auto few_degrees = [&](const RankVariety& side) {
        return exact_seconds(side, x.C().to_double() + 1);
    };
    if (dearer_side(x, all_degrees) < affordable_seconds) return by_h_vector(x, bits);
    const bool short_sum = depth <= longest_series;
    if (short_sum && dearer_side(x, few_degrees) < affordable_seconds) return by_series(x, bits);
    if (!short_sum) return std::nullopt;
    const double other = side_a == side_b ? 0 : series_seconds(x.b(), x.C());
    if (series_seconds(x.a(), x.C()) + other > affordable_seconds) return std::nullopt;
    return by_invariant_series(x, bits);
}

}  // namespace plimsoll::theory

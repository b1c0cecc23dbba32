#include "plimsoll/theory/capacity/unequal_sides.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/capacity/fast_capacity.h"
#include "plimsoll/theory/numbers/multiset_log.h"

namespace plimsoll::theory {
namespace {

constexpr double seconds_per_value = 0.018;  // two sides and about twenty values of each numerator

Integer rounded_down(double value) { return Ball::from_double(value, 64).middle_floor(); }

// Side A or B with H(K) bounded, exactly when the rank does not bind.
class Forms {
  public:
    Forms(const RankVariety& variety, int bits) : variety_(variety), bits_(bits) {
        if (!variety.is_whole_space()) bounds_.emplace(variety, bits, seconds_per_value);
    }

    [[nodiscard]] Ball lower(const Integer& degree) {
        return kept(lower_, degree, [&] { return bounds_ ? bounds_->lower(degree) : whole(degree); });
    }
    [[nodiscard]] Ball upper(const Integer& degree) {
        return kept(upper_, degree, [&] { return bounds_ ? bounds_->upper(degree) : whole(degree); });
    }
    // ln h(K) >= ln H(K) + ln(delta / (delta+K)) and <= ln H(K) + ln(D / (D+K)): growth from below and above.
    [[nodiscard]] Ball lower_at(const Integer& degree) {
        return lower(degree) +
               log(Ball(Rational(variety_.dimension(), variety_.dimension() + degree), bits_));
    }
    [[nodiscard]] Ball upper_at(const Integer& degree) {
        return upper(degree) + log(Ball(Rational(variety_.ambient(), variety_.ambient() + degree), bits_));
    }
    [[nodiscard]] double estimate(double degree) const {
        return fast::log_cumulative_forms(static_cast<double>(variety_.d), static_cast<double>(variety_.q),
                                          degree);
    }
    // ln(H(K+1) / H(K)), estimated.
    [[nodiscard]] double growth(double degree) const {
        const double step = std::max(1.0, 1e-3 * degree);
        return (estimate(degree + step) - estimate(degree)) / step;
    }
    // ln(h(K+1) / h(K)) is at least this.
    [[nodiscard]] Ball least_growth(const Integer& degree) const {
        return log1p(Ball(Rational(variety_.dimension() - 1, degree + 1), bits_));
    }
    // ln of the leading coefficient of H: degree / delta!.
    [[nodiscard]] Ball log_leading() const {
        const Ball degree = variety_.is_whole_space() ? Ball(0, bits_) : variety_.log_degree(bits_);
        return degree - log_factorial(variety_.dimension(), bits_);
    }
    [[nodiscard]] Integer dimension() const { return variety_.dimension(); }

  private:
    template <class Compute>
    static Ball kept(std::map<Integer, Ball>& store, const Integer& degree, Compute compute) {
        const auto found = store.find(degree);
        return found != store.end() ? found->second : store.emplace(degree, compute()).first->second;
    }
    [[nodiscard]] Ball whole(const Integer& degree) const {
        return log_multiset(variety_.ambient() + 1, degree, bits_);
    }

    RankVariety variety_;
    int bits_;
    std::optional<CumulativeForms> bounds_;
    std::map<Integer, Ball> lower_, upper_;
};

// The sum with its cut written as e = C - k, the degree on side A: e may be far smaller than k.
struct Meeting {
    Forms a, b;
    Integer C;
    std::int64_t width, rows;  // q_A <= d rows
    int bits;

    // H(K) is its leading term so far beyond the knee: one equation in ln e.
    [[nodiscard]] Integer far_guess() const {
        const Ball left = b.log_leading() + Ball(b.dimension(), bits) * log(Ball(C, bits));
        const Ball right = a.log_leading() + log(Ball(rows, bits));
        return std::min(C, exp((left - right) / Ball(a.dimension(), bits)).middle_floor());
    }

    // Where the sides meet, in doubles, by bisection in ln e.
    [[nodiscard]] Integer guess() const {
        const double total = C.to_double();
        double low = 0, high = std::log(total + 1);
        const auto b_larger = [&](double e) {
            return b.estimate(total - e) > std::log(static_cast<double>(rows)) + a.estimate(e);
        };
        for (int step = 0; step < 60; ++step) {
            const double middle = (low + high) / 2;
            (b_larger(std::expm1(middle)) ? low : high) = middle;
        }
        return std::min(C, rounded_down(std::expm1(high)));
    }

    // The guess after two of Newton's steps with the bounds themselves.
    [[nodiscard]] Integer meeting_degree() {
        constexpr std::int64_t doubles_hold = 400;  // bits of C whose square is still a double
        if (C.bits() > doubles_hold) return far_guess();
        Integer e = guess();
        for (int step = 0; step < 2 && e > 1 && e < C; ++step) {
            const double nats = (b.upper(C - e) - log(Ball(rows, bits)) - a.upper(e)).middle();
            const double slope = a.growth(e.to_double()) + b.growth((C - e).to_double());
            const double room = e.to_double() / 2;
            const double move = std::clamp(nats / slope, -room, room);
            if (std::abs(move) < 1) break;
            e = std::clamp(e + rounded_down(move), Integer(1), C);
        }
        return e;
    }

    // What is certain of ln h_B(C-e) <= ln q_A h_A(e): positive when it is proved, by so many nats.
    [[nodiscard]] double margin(const Integer& e) {
        return (log(Ball(rows, bits)) + a.lower_at(e) - b.upper_at(C - e)).lower();
    }
    [[nodiscard]] Integer step_for(double nats, const Integer& e) const {
        return (Ball::from_double(nats, bits) / (a.least_growth(e) + b.least_growth(C - e))).middle_floor() +
               1;
    }

    // Side B is certainly the smaller one up to k = C - e; H_B(C-e) is then a part of the sum. Few steps
    // reach such an e, since the margin grows by at least `growth` a degree.
    [[nodiscard]] Ball lower(Integer e) {
        constexpr int most_steps = 8;
        const Integer half = floor_div(C + 1, 2);
        for (int step = 0; step < most_steps && e < half; ++step) {
            const double proved = margin(e);
            if (proved >= 0) return b.lower(C - e);
            e = std::min(half, e + step_for(-proved, e));
        }
        return b.lower(floor_div(C, 2));  // there h_B(k) <= h_A(C-k) always
    }

    // Any cut bounds the sum: H_B(C-e) + min(d H_A(e-1), q_A H_A(e)).
    [[nodiscard]] Ball upper(const Integer& e) {
        const Ball from_b = b.upper(C - e);
        if (e == 0) return from_b;
        const Ball from_a = min(log(Ball(width, bits)) + a.upper(e - 1), log(Ball(rows, bits)) + a.upper(e));
        return log_add_exp(from_b, from_a);
    }
};

}  // namespace

std::pair<Ball, Ball> enclose_unequal_sides(const RankVariety& a, const RankVariety& b, const Integer& C,
                                            int bits) {
    PLIMSOLL_CHECK(a.d == b.d && a.q > b.q && !b.is_whole_space(), "side A has more positions than side B");
    Meeting meeting{Forms(a, bits), Forms(b, bits), C, a.d, std::min(a.q, a.d), bits};
    const Integer e = meeting.meeting_degree();
    return {meeting.lower(e), meeting.upper(e)};
}

}  // namespace plimsoll::theory

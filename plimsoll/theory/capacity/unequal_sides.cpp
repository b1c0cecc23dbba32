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

// The sum with its cut written as s, the degree on the larger side, which grows faster: s may be far smaller
// than C - s, the degree on the smaller side. a(e) lies between q_A h_A(e) and min(d h_A(e), q_A h_A(e+1)).
struct Meeting {
    Forms larger, smaller;
    bool output_on_larger;
    Integer C;
    std::int64_t width, rows;  // q_A <= d rows
    int bits;

    // The factor ln q_A of the side that holds the output.
    [[nodiscard]] Ball larger_rows() const { return output_on_larger ? log_rows() : Ball(0, bits); }
    [[nodiscard]] Ball smaller_rows() const { return output_on_larger ? Ball(0, bits) : log_rows(); }
    [[nodiscard]] Ball log_rows() const { return log(Ball(rows, bits)); }
    [[nodiscard]] Ball log_width() const { return log(Ball(width, bits)); }

    // H(K) is its leading term so far beyond the knee: one equation in ln s.
    [[nodiscard]] Integer far_guess() const {
        const Ball left =
            smaller_rows() + smaller.log_leading() + Ball(smaller.dimension(), bits) * log(Ball(C, bits));
        const Ball right = larger_rows() + larger.log_leading();
        return std::min(C, exp((left - right) / Ball(larger.dimension(), bits)).middle_floor());
    }

    // Where the sides meet, in doubles, by bisection in ln s.
    [[nodiscard]] Integer guess() const {
        const double total = C.to_double(), ahead = smaller_rows().middle() - larger_rows().middle();
        double low = 0, high = std::log(total + 1);
        for (int step = 0; step < 60; ++step) {
            const double middle = (low + high) / 2, s = std::expm1(middle);
            (ahead + smaller.estimate(total - s) > larger.estimate(s) ? low : high) = middle;
        }
        return std::min(C, rounded_down(std::expm1(high)));
    }

    // The guess after two of Newton's steps with the bounds themselves.
    [[nodiscard]] Integer meeting_degree() {
        constexpr std::int64_t doubles_hold = 400;  // bits of C whose square is still a double
        if (C.bits() > doubles_hold) return far_guess();
        Integer s = guess();
        for (int step = 0; step < 2 && s > 1 && s < C; ++step) {
            const double nats =
                (smaller_rows() + smaller.upper(C - s) - larger_rows() - larger.upper(s)).middle();
            const double slope = larger.growth(s.to_double()) + smaller.growth((C - s).to_double());
            const double room = s.to_double() / 2;
            const double move = std::clamp(nats / slope, -room, room);
            if (std::abs(move) < 1) break;
            s = std::clamp(s + rounded_down(move), Integer(1), C);
        }
        return s;
    }

    // By how many nats the smaller side's piece is certainly at most the larger side's; negative: not proved.
    [[nodiscard]] double margin(const Integer& s) {
        const Integer other = C - s;
        const Ball most = output_on_larger ? smaller.upper_at(other)
                                           : min(log_width() + smaller.upper_at(other),
                                                 log_rows() + smaller.upper_at(other + 1));
        return (larger_rows() + larger.lower_at(s) - most).lower();
    }
    [[nodiscard]] Integer step_for(double nats, const Integer& s) const {
        const Ball growth = larger.least_growth(s) + smaller.least_growth(C - s);
        return (Ball::from_double(nats, bits) / growth).middle_floor() + 1;
    }

    // Every piece whose degree on the smaller side is at most C - s is the smaller side's: together a part of
    // the sum. Few steps reach such an s, since the margin grows by at least `growth` a degree.
    [[nodiscard]] Ball lower(Integer s) {
        constexpr int most_steps = 8;
        const Integer half = floor_div(C + 1, 2), last = output_on_larger ? half : C + 1;
        for (int step = 0; step < most_steps && s < last; ++step) {
            const double proved = margin(s);
            if (proved >= 0) return smaller_rows() + smaller.lower(C - s);
            s = std::min(last, s + step_for(-proved, s));
        }
        return smaller.lower(
            floor_div(C, 2));  // up to the middle no side has fewer than h of the smaller one
    }

    // Any cut bounds the sum: H_B up to a degree and the forms of A below the rest.
    [[nodiscard]] Ball upper(const Integer& s) {
        const Integer on_a = output_on_larger ? s : C - s;
        Forms &a = output_on_larger ? larger : smaller, &b = output_on_larger ? smaller : larger;
        const Ball from_b = b.upper(C - on_a);
        if (on_a == 0) return from_b;
        return log_add_exp(from_b, min(log_width() + a.upper(on_a - 1), log_rows() + a.upper(on_a)));
    }
};

}  // namespace

std::pair<Ball, Ball> enclose_unequal_sides(const RankVariety& a, const RankVariety& b, const Integer& C,
                                            int bits) {
    const bool output_on_larger = a.q > b.q;
    const RankVariety &larger = output_on_larger ? a : b, &smaller = output_on_larger ? b : a;
    PLIMSOLL_CHECK(a.d == b.d && larger.q > smaller.q && !smaller.is_whole_space(),
                   "the sides differ, and rank binds the smaller one");
    Meeting meeting{
        Forms(larger, bits), Forms(smaller, bits), output_on_larger, C, a.d, std::min(a.q, a.d), bits};
    const Integer s = meeting.meeting_degree();
    return {meeting.lower(s), meeting.upper(s)};
}

}  // namespace plimsoll::theory

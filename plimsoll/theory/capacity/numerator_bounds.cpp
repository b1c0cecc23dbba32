#include "plimsoll/theory/capacity/numerator_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/numbers/multiset_log.h"

namespace plimsoll::theory {
namespace {

constexpr int search_steps = 6;
constexpr double small_gap = 1e-4;    // of ln H(K)
constexpr double tail_share = 0.125;  // of the whole, left out on either side of a window

// s moved by `step` in ln t = 2 ln s.
double moved(double s, double step) { return s * std::exp(step / 2); }

// The step in ln t at which Chernoff's bound of a tail of that curvature is tail_share.
double window_step(double curvature) { return std::sqrt(2 * std::log(1 / tail_share) / curvature); }

Ball log_of_t(double s, int bits) { return Ball(2, bits) * log(Ball::from_double(s, bits)); }

}  // namespace

NumeratorBounds::NumeratorBounds(const RankVariety& variety, int bits)
    : variety_(variety),
      bits_(bits),
      variables_(variety.dimension() + 1),
      n_(variables_.to_double()),
      ambient_(variety.ambient().to_double() + 1) {
    PLIMSOLL_CHECK(variety.q >= 1 && variety.q < variety.d, "the numerator needs 1 <= q < d");
}

const Ball& NumeratorBounds::log_n(double s) {
    auto found = values_.find(s);
    if (found == values_.end()) found = values_.emplace(s, log_numerator(variety_, s, bits_)).first;
    return found->second;
}

// The saddle of the free ring while the rank does not bind (q >= 2ds/(1+s)); else of deg ((1+s)/2)^M
// (1-t)^-n.
double NumeratorBounds::first_guess(double degree) const {
    const auto d = static_cast<double>(variety_.d), q = static_cast<double>(variety_.q);
    const double free = std::sqrt(degree / (degree + ambient_)), power = q * (d - q + 1);
    if (q * (1 + free) >= 2 * d * free) return free;
    double low = 1e-9, high = 1 - 1e-12;
    for (int step = 0; step < 60; ++step) {
        const double s = (low + high) / 2;
        (power * s / (2 * (1 + s)) + n_ * s * s / (1 - s * s) < degree ? low : high) = s;
    }
    return std::max(free, low);
}

// The curvature of ln N in ln t by the model that has the smaller one: the free ring, or deg ((1+s)/2)^M.
double NumeratorBounds::expected_curvature(double s) const {
    const auto d = static_cast<double>(variety_.d), q = static_cast<double>(variety_.q);
    const double t = s * s, far = q * (d - q + 1) * s / (4 * (1 + s) * (1 + s));
    return std::max(1e-3, std::min(far, (ambient_ - n_) * t / ((1 - t) * (1 - t))));
}

// The same three values of N give slope and curvature here and the ends of the window in L6.
NumeratorBounds::Tilt NumeratorBounds::tilt_at(double s) {
    const double t = s * s, series_curvature = n_ * t / ((1 - t) * (1 - t));
    const double step = std::min(window_step(expected_curvature(s)), -0.9 * std::log(s));
    const double below = log_n(moved(s, -step)).middle(), here = log_n(s).middle(),
                 above = log_n(moved(s, step)).middle();
    const double curvature = std::max(1e-9, (above - 2 * here + below) / (step * step));
    return {s, step, (above - below) / (2 * step) + n_ * t / (1 - t), curvature + series_curvature};
}

// Newton on slope = K; a tilt within half a standard deviation of K costs an eighth of a nat and will do.
std::optional<NumeratorBounds::Tilt> NumeratorBounds::tilt_for(double degree) {
    const auto close = [&](const Tilt& tilt) {
        return std::abs(tilt.slope - degree) <= 0.5 * std::sqrt(tilt.curvature);
    };
    if (last_ && close(*last_)) return last_;
    double s = first_guess(degree);
    for (int step = 0; step < search_steps; ++step) {
        const Tilt tilt = tilt_at(s);
        if (!std::isfinite(tilt.slope)) return std::nullopt;
        if (close(tilt)) return last_ = tilt;
        s = std::min(moved(s, std::clamp((degree - tilt.slope) / tilt.curvature, -1.0, 1.0)), (1 + s) / 2);
    }
    return std::nullopt;
}

// ln((n, K-i)) - i ln t.
Ball NumeratorBounds::tilted_term(const Integer& degree, std::int64_t i, const Ball& log_t) const {
    return log_multiset(variables_, degree - i, bits_) - Ball(i, bits_) * log_t;
}

// U6: H(K) <= N(t) max_i ((n, K-i)) t^-i. The term rises with i while (K-i)/(n+K-i-1) > t.
std::optional<Ball> NumeratorBounds::upper(const Integer& degree) {
    const auto tilt = tilt_for(degree.to_double());
    if (!tilt) return std::nullopt;
    const Ball log_t = log_of_t(tilt->s, bits_), t = exp(log_t);
    const std::int64_t last = degree < variety_.h_length() ? degree.to_int64() : variety_.h_length();
    const auto rises = [&](std::int64_t i) {  // undecided counts as rising: the neighbour is as large
        const Rational ratio(degree - i, variables_ + degree - i - 1);
        return less(Ball(ratio, bits_), t) != Verdict::proved;
    };
    std::int64_t low = 0, high = last;  // the first index from which the term does not rise
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (rises(middle))
            low = middle + 1;
        else
            high = middle;
    }
    Ball top = tilted_term(degree, low, log_t);
    if (low > 0) top = max(top, tilted_term(degree, low - 1, log_t));
    return log_n(tilt->s) + top;
}

// L7 costs two more values of N: only where L6 leaves a gap worth closing.
std::optional<Ball> NumeratorBounds::lower(const Integer& degree) {
    const auto tilt = tilt_for(degree.to_double());
    if (!tilt) return std::nullopt;
    const auto by_index = by_index_window(degree, *tilt), top = upper(degree);
    if (by_index && top && top->upper() - by_index->lower() < small_gap * top->upper()) return by_index;
    const auto by_degree = by_degree_window(degree, *tilt);
    if (by_index && by_degree) return max(*by_index, *by_degree);
    return by_index ? by_index : by_degree;
}

// L6: indices outside a window carry at most a quarter of N(t) (Markov's inequality at two other tilts), and
// inside it the concave ln((n, K-i)) - i ln t is smallest at an end.
std::optional<Ball> NumeratorBounds::by_index_window(const Integer& degree, const Tilt& tilt) {
    const double right = moved(tilt.s, tilt.step), left = moved(tilt.s, -tilt.step);
    const Ball log_t = log_of_t(tilt.s, bits_), here = log_n(tilt.s),
               margin = log(Ball::from_double(tail_share, bits_));
    const Ball up = (log_n(right) - here - margin) / (log_of_t(right, bits_) - log_t);
    const Ball down = (here - log_n(left) + margin) / (log_t - log_of_t(left, bits_));
    if (!up.is_finite() || !down.is_finite()) return std::nullopt;
    const double first = std::max(0.0, std::floor(down.lower())),
                 last = std::min(std::ceil(up.upper()), static_cast<double>(variety_.h_length()));
    if (degree.to_double() < last || last < first) return std::nullopt;
    const Ball smallest = min(tilted_term(degree, static_cast<std::int64_t>(first), log_t),
                              tilted_term(degree, static_cast<std::int64_t>(last), log_t));
    return here + log(Ball::from_double(1 - 2 * tail_share, bits_)) + smallest;
}

// L7: sum_k H(k) t^k = N(t) (1-t)^-n. At a tilt with mean above K the degrees below K and those above some J
// carry a small share each, and from K to J H grows by at most (D+1+k)/(k+1) a degree.
std::optional<Ball> NumeratorBounds::by_degree_window(const Integer& degree, const Tilt& tilt) {
    const double step = std::min(window_step(tilt.curvature), -0.4 * std::log(tilt.s));
    const double s = moved(tilt.s, step), beyond = moved(s, step);
    const auto log_f = [&](double x) {
        return log_n(x) - Ball(variables_, bits_) * log1p(-exp(log_of_t(x, bits_)));
    };
    const Ball here = log_f(s), log_t = log_of_t(s, bits_),
               margin = log(Ball::from_double(tail_share, bits_));
    const Ball below =
        exp(log_f(tilt.s) - here + Ball(degree - 1, bits_) * (log_t - log_of_t(tilt.s, bits_)));
    const Ball end = (log_f(beyond) - here - margin) / (log_of_t(beyond, bits_) - log_t);
    if (!below.is_finite() || !end.is_finite()) return std::nullopt;
    const double left = (1 - below.upper() - tail_share) * (1 - 1e-9),
                 share = growth_share(degree.to_double(), std::ceil(end.upper()), s * s);
    if (!(left > 0) || !std::isfinite(share)) return std::nullopt;
    return here + log(Ball::from_double(left, bits_)) - Ball(degree, bits_) * log_t -
           log(Ball::from_double(share, bits_));
}

// sum_{k=K..J} t^(k-K) prod (D+1+k)/(k+1), rounded up: positive terms, each a few ulps off, so that a
// millionth covers the rounding. Infinite when there are too many terms.
double NumeratorBounds::growth_share(double first, double last, double t) const {
    constexpr double most_terms = 100'000;
    if (last - first > most_terms) return std::numeric_limits<double>::infinity();
    double sum = 1, term = 1;
    for (double k = first; k < last; ++k) sum += term *= t * (ambient_ + k) / (k + 1);
    return sum * (1 + 1e-6);
}

}  // namespace plimsoll::theory

#include "plimsoll/theory/capacity/selberg_bound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/numbers/barnes_integer.h"
#include "plimsoll/theory/numbers/multiset_log.h"
#include "plimsoll/theory/numbers/special_fast.h"

// With m_i = 2 lambda_i + q - i and a = d - q, dim S_{2 lambda} = prod_{i<j}(m_i - m_j) prod_i (m_i+a)!/m_i!
// / prod_i (d-i)!.
// 1. Chernoff: sum_{k<=K} h(k) <= e^(tau S) sum_lambda dim e^(-tau sum m), S = 2K + q(q-1)/2, for every tau >
// 0.
// 2. Weight: ln((m+a)!/m!) <= A ln(m+B) + mu m + E for all integers m >= 0, E certified below.
// 3. Sum to integral: the cubes m + [-1/2, 1/2]^q are disjoint and keep the order, and by Jensen the integral
// over a cube is at
//    least e^(mean); the mean of ln(m_i-m_j) over it falls short of the centre by at most `pair_loss` per row
//    in all.
// 4. Selberg (Laguerre weight, exponent 1) gives the integral over the ordered half-lines in closed form.
namespace plimsoll::theory {
namespace {

// sum over r >= 1 of -E ln(1 + w/r), w triangular on [-1, 1]: 3/2 - 2 ln 2 at r = 1, and 1/(12 r^2) + 1/(60
// r^4) + ... beyond, 0.1690 in all, rounded up. Gaps m_i - m_j are at least j - i, so each row loses at most
// this to the rows below it.
const Rational pair_loss(Integer(172), Integer(1000));

struct Weight {
    double exponent, shift, slope;  // A, B, mu
};

struct Problem {
    double d, q, a, S;
};

// Degree of homogeneity of the integrand plus q: q (A + 1) + q (q - 1) / 2.
double homogeneity(const Problem& p, double A) { return p.q * (A + 1) + p.q * (p.q - 1) / 2; }

double sup_error_estimate(const Problem& p, const Weight& w, double step = 1.12) {
    const auto f = [&](double m) {
        return fast::log_gamma(m + p.a + 1) - fast::log_gamma(m + 1) - w.exponent * std::log(m + w.shift) -
               w.slope * m;
    };
    double best = f(0);
    const double last = 60 * p.S / p.q + 50;
    for (double m = 0.5; m < last; m *= step) best = std::max(best, f(m));
    return best;
}

// sum_{j<q} [ln Gamma(1 + (j+1)/2) + ln Gamma(A + 1 + j/2)], the j-dependent part of Selberg's constant.
double selberg_estimate(const Problem& p, double A) {
    const double evens = std::ceil(p.q / 2), odds = std::floor(p.q / 2);
    const auto run = [](double x, double count) {
        return fast::log_barnes_g1(x + count - 1) - fast::log_barnes_g1(x - 1);
    };
    return run(1.5, evens) + run(2, odds) + run(A + 1, evens) + run(A + 1.5, odds);
}

double objective(const Problem& p, const Weight& w, double step = 1.12) {
    if (w.exponent <= 0 || w.shift < 1 || w.slope < 0 || (w.exponent < p.a && w.slope <= 0)) return 1e300;
    const double n = homogeneity(p, w.exponent);
    const double nu = n / (p.S + p.q * w.shift);
    return w.slope * p.S + n - n * std::log(nu) + p.q * sup_error_estimate(p, w, step) +
           selberg_estimate(p, w.exponent);
}

// Nelder-Mead in (ln A/a, ln B/B0, mu scaled) from one start; small, smooth and cheap, so nothing finer is
// needed.
Weight minimise(const Problem& p, std::array<double, 3> start) {
    const auto weight_at = [&](const std::array<double, 3>& v) {
        return Weight{p.a * std::exp(v[0]), (p.a + 1) / 2 * std::exp(v[1]), v[2] * p.a * p.q / p.S};
    };
    struct Vertex {
        std::array<double, 3> at;
        double value;
    };
    const auto vertex = [&](const std::array<double, 3>& at) {
        return Vertex{at, objective(p, weight_at(at))};
    };
    std::vector<Vertex> simplex{vertex(start)};
    for (std::size_t i = 0; i < 3; ++i) {
        auto moved = start;
        moved[i] *= 0.7;
        simplex.push_back(vertex(moved));
    }
    const auto along = [](const std::array<double, 3>& from, const std::array<double, 3>& to, double step) {
        std::array<double, 3> out{};
        for (std::size_t i = 0; i < 3; ++i) out[i] = from[i] + step * (to[i] - from[i]);
        return out;
    };
    for (int step = 0; step < 120; ++step) {
        std::sort(simplex.begin(), simplex.end(),
                  [](const auto& x, const auto& y) { return x.value < y.value; });
        std::array<double, 3> centre{};
        for (std::size_t v = 0; v < 3; ++v) {
            for (std::size_t i = 0; i < 3; ++i) centre[i] += simplex[v].at[i] / 3;
        }
        Vertex& worst = simplex[3];
        Vertex reflected = vertex(along(centre, worst.at, -1));
        if (reflected.value < simplex[0].value) {
            const Vertex expanded = vertex(along(centre, worst.at, -2));
            worst = expanded.value < reflected.value ? expanded : reflected;
        } else if (reflected.value < simplex[2].value) {
            worst = reflected;
        } else if (const Vertex inside = vertex(along(centre, worst.at, 0.5)); inside.value < worst.value) {
            worst = inside;
        } else {
            for (std::size_t v = 1; v < 4; ++v) simplex[v] = vertex(along(simplex[0].at, simplex[v].at, 0.5));
        }
    }
    return weight_at(std::min_element(simplex.begin(), simplex.end(), [](const auto& x, const auto& y) {
                         return x.value < y.value;
                     })->at);
}

Weight best_weight(const Problem& p) {
    // The plain inequality of the means: A = a, B = (a + 1) / 2, no slope, no error.
    Weight best{p.a, (p.a + 1) / 2, 0};
    double value = objective(p, best);
    for (const auto& start :
         {std::array{-0.1, -0.3, 0.05}, std::array{-0.6, -1.1, 0.1}, std::array{-1.3, -2.0, 0.1}}) {
        const Weight found = minimise(p, start);
        if (const double v = objective(p, found); v < value) {
            value = v;
            best = found;
        }
    }
    return best;
}

// The certified E: sup over m >= 0 of g(m) - A ln(m+B) - mu m, g(m) = ln((m+a)!/m!), by branch and bound. On
// [u, v] the function is at most f(u) + (v-u) max(0, g'(u) - A/(v+B) - mu), since g' and A/(m+B) fall; past m
// = a/mu it falls for good.
class SupError {
  public:
    SupError(std::int64_t a, const Weight& w, int bits)
        : a_(a),
          A_(Ball::from_double(w.exponent, bits)),
          B_(Ball::from_double(w.shift, bits)),
          mu_(Ball::from_double(w.slope, bits)),
          bits_(bits) {}

    [[nodiscard]] Ball bound(double tolerance) const {
        const double end = std::ceil(static_cast<double>(a_) / mu_.lower()) + 1;
        // g(m) <= a ln(m + (a+1)/2) and that majorant minus A ln(m+B) + mu m falls from `end` on.
        double result = tail(end).upper();
        std::vector<std::array<double, 2>> open{{0, 1}};
        for (double u = 1; u < end; u *= 2) open.push_back({u, std::min(2 * u, end)});
        for (double m = 1; m < end; m = std::ceil(m * 1.1)) result = std::max(result, value(m).upper());
        double slack = 0;
        while (!open.empty()) {
            const auto [u, v] = open.back();
            open.pop_back();
            const double at_u = value(u).upper();
            result = std::max(result, at_u);
            if (v - u <= 1) continue;  // no integer strictly between
            const double reach = at_u + (v - u) * std::max(0.0, steepest(u, v));
            if (reach <= result + tolerance) {
                slack = std::max(slack, reach - result);
                continue;
            }
            const double middle = std::floor((u + v) / 2);
            open.push_back({u, middle});
            open.push_back({middle, v});
        }
        return Ball::from_double(result, bits_) + Ball::from_double(slack, bits_);
    }

  private:
    [[nodiscard]] Ball value(double m) const {
        const Ball x = Ball::from_double(m, bits_);
        return lgamma(x + Ball(a_ + 1, bits_)) - lgamma(x + Ball(1, bits_)) - A_ * log(x + B_) - mu_ * x;
    }
    [[nodiscard]] Ball tail(double m) const {
        const Ball x = Ball::from_double(m, bits_), half(Rational(Integer(a_ + 1), Integer(2)), bits_);
        return Ball(a_, bits_) * log(x + half) - A_ * log(x + B_) - mu_ * x;
    }
    // g'(u) = sum_{j<=a} 1/(u+j) <= ln((u+a+1/2)/(u+1/2)) by convexity of 1/x.
    [[nodiscard]] double steepest(double u, double v) const {
        const Ball half(Rational(Integer(1), Integer(2)), bits_), x = Ball::from_double(u, bits_) + half;
        const Ball g_slope = log((x + Ball(a_, bits_)) / x);
        return (g_slope - A_ / (Ball::from_double(v, bits_) + B_) - mu_).upper();
    }

    std::int64_t a_;
    Ball A_, B_, mu_;
    int bits_;
};

// ln of prod_{j<q} Gamma(1+(j+1)/2) Gamma(A+1+j/2) / Gamma(3/2), over q!.
Ball selberg_constant(std::int64_t q, const Rational& A, int bits) {
    const auto g = [bits](const Rational& z) { return log_barnes_g(z, bits); };
    const auto run = [&](const Rational& x, std::int64_t count) { return g(x + Rational(count)) - g(x); };
    const std::int64_t evens = (q + 1) / 2, odds = q / 2;
    const Rational half(Integer(1), Integer(2));
    const Ball gamma_three_halves = lgamma(Ball(Rational(Integer(3), Integer(2)), bits));
    return run(Rational(1) + half, evens) + run(Rational(2), odds) + run(A + 1, evens) +
           run(A + 1 + half, odds) - Ball(q, bits) * gamma_three_halves - log_factorial(q, bits);
}

// The nearest fraction with denominator 2^20: the weight is then exact in every later step.
double rounded(double value) { return std::ldexp(std::round(std::ldexp(value, 20)), -20); }
Rational exact(double value) {
    return {Integer(static_cast<std::int64_t>(std::ldexp(value, 20))), Integer(1 << 20)};
}

}  // namespace

namespace {

// How loose E may be per row: a thousandth of a nat, or a hundred-thousandth of the whole where that is more.
double error_tolerance(const Problem& p, const Integer& degree) {
    const double whole = fast::log_multiset(p.d * p.q - p.q * (p.q - 1) / 2, degree.to_double());
    return std::max(1e-3, 1e-5 * whole / p.q);
}

}  // namespace

double selberg_upper_estimate(double d, double q, double degree) {
    const Problem p{d, q, d - q, 2 * degree + q * (q - 1) / 2};
    double best = objective(p, {p.a, (p.a + 1) / 2, 0}, 2);
    // The best weights found by the full search lie near this line; the slope takes a few values across it.
    for (const double shrink : {0.03, 0.1, 0.25, 0.5, 0.8, 1.2, 1.7}) {
        for (const double slope : {0.01, 0.04, 0.08, 0.13}) {
            const double shift = std::max(1.0, (p.a + 1) / 2 * std::exp(-0.2 - 1.4 * shrink));
            best = std::min(best, objective(p, {p.a * std::exp(-shrink), shift, slope * p.a * q / p.S}, 1.5));
        }
    }
    const double constants = q * fast::log_gamma(1.5) + fast::log_gamma(q + 1);
    return best - constants - (fast::log_barnes_g1(d) - fast::log_barnes_g1(d - q));
}

Ball selberg_upper(const RankVariety& variety, const Integer& degree, int bits) {
    const std::int64_t d = variety.d, q = variety.q, a = d - q;
    PLIMSOLL_CHECK(q >= 1 && a >= 1, "selberg_upper needs 1 <= q < d");
    const int work = bits + 2 * cancellation_bits(Integer(d) + degree) + 32;
    const Integer S = Integer(2) * degree + exact_div(Integer(q) * (q - 1), 2);
    const Problem problem{static_cast<double>(d), static_cast<double>(q), static_cast<double>(a),
                          S.to_double()};
    Weight weight = best_weight(problem);
    weight.exponent = rounded(weight.exponent);
    weight.shift = std::max(1.0, rounded(weight.shift));
    const bool plain = weight.slope <= 0;
    if (plain) weight = {static_cast<double>(a), static_cast<double>(a + 1) / 2, 0};
    const Ball E = plain ? Ball(0, work) : SupError(a, weight, 96).bound(error_tolerance(problem, degree));

    const Rational A = exact(weight.exponent), B = exact(weight.shift);
    const Rational n = Rational(q) * (A + 1) + Rational(Integer(q) * (q - 1), Integer(2));
    const Rational spread = Rational(S) + Rational(q) * B;
    const Ball n_ball(n, work), rows(q, work);
    // nu = tau - mu = n / (S + q B) is optimal: the two nu-terms together are n - n ln nu.
    const Ball chernoff = Ball::from_double(weight.slope, work) * Ball(S, work) + n_ball -
                          n_ball * log(n_ball / Ball(spread, work));
    const Ball denominators = log_barnes_g1(d, work) - log_barnes_g1(d - q, work);
    // Jensen for the weight: sum over rows of -A E ln(1 + u/(m_i+B)), u uniform on [-1/2, 1/2], m_i >= q - i,
    // is below A/(10 B).
    const Ball jensen = rows * Ball(pair_loss, work) + Ball(A / (Rational(10) * B), work);
    return chernoff + selberg_constant(q, A, work) - denominators + rows * E + jensen;
}

}  // namespace plimsoll::theory

#include "plimsoll/theory/saddle_bound.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/flint_headers.h"
#include "plimsoll/theory/multiset_log.h"

// The Hilbert series HS(t), t = s^2, is the mean of two positive averages over the components of O(q); the
// one over SO(q), E(s), is the larger. H(K) = sum_{k<=K} h(k) has the series HS/(1-t) and grows from K to K+1
// by a factor between (delta+1+K)/(K+1) and (D+1+K)/(K+1), so its neighbours carry a known share G of the
// series and H(K) <= t^-K E(s) / ((1-t) G). With c_n as in orthogonal_average.cpp and Euler's transformation,
//   c_n = s^n (1-t)^(1-2d) A_n(t),  A_n(t) = sum_m binom(d+n-1, m+n) binom(d-1-n, m) t^m  (n < d, all terms
//   positive), E = det(c_{j-k} + c_{j+k}) / 2 for q = 2l,  (1-s)^-d det(c_{j-k} - c_{j+k+1}) for q = 2l + 1.
namespace plimsoll::theory {
namespace {

constexpr double budget_seconds = 0.03;  // per determinant

struct Shape {
    std::int64_t d, q, half;
};

// Elimination was seen to lose 3.0 to 3.4 q log2((1+s)/(1-s)) bits; too few would only make the bound fail,
// not lie.
int needed_bits(const Shape& shape, double s, int bits) {
    return bits + 96 +
           static_cast<int>(static_cast<double>(shape.q) * (3.7 * std::log2((1 + s) / (1 - s)) + 6));
}

double estimated_seconds(const Shape& shape, int work) {
    const double limbs = work / 64.0 + 1, order = static_cast<double>(shape.half);
    const double elimination = order * order * order / 3 * std::pow(limbs, 1.3) * 8e-9;
    return elimination + static_cast<double>(shape.d) * static_cast<double>(shape.q) * limbs * 2e-8;
}

// A_0(t) .. A_last(t) by the ratio of neighbouring terms.
std::vector<Ball> transformed_coefficients(std::int64_t d, std::int64_t last, const Ball& t) {
    const int bits = t.bits();
    std::vector<Ball> out;
    for (std::int64_t n = 0; n <= last; ++n) {
        Ball term(binomial(d + n - 1, n), bits), sum = term;
        arb_struct* x = static_cast<arb_struct*>(term.raw());
        for (std::int64_t m = 0; m + n < d - 1; ++m) {
            arb_mul(x, x, static_cast<const arb_struct*>(t.raw()), bits);
            arb_mul_si(x, x, (d - 1 - m) * (d - 1 - n - m), bits);
            arb_div_si(x, x, (m + n + 1) * (m + 1), bits);
            sum = sum + term;
        }
        out.push_back(sum);
    }
    return out;
}

class Matrix {
  public:
    explicit Matrix(std::int64_t order) { arb_mat_init(value_, order, order); }
    ~Matrix() { arb_mat_clear(value_); }
    Matrix(const Matrix&) = delete;
    Matrix& operator=(const Matrix&) = delete;

    void set(std::int64_t row, std::int64_t col, const Ball& ball) {
        arb_set(arb_mat_entry(value_, row, col), static_cast<const arb_struct*>(ball.raw()));
    }
    [[nodiscard]] Ball determinant(int bits) const {
        Ball out(bits);
        arb_mat_det(static_cast<arb_struct*>(out.raw()), value_, bits);
        return out;
    }

  private:
    arb_mat_t value_;
};

// ln E(s); not finite when the precision was not enough.
Ball log_average(const Shape& shape, double s_value, int work) {
    const Ball s = Ball::from_double(s_value, work), t = s * s, one(1, work);
    const bool odd = shape.q % 2 == 1;
    const auto a = transformed_coefficients(shape.d, 2 * shape.half, t);
    std::vector<Ball> c{a[0]};
    Ball power = one;
    for (std::size_t n = 1; n < a.size(); ++n) {
        power = power * s;
        c.push_back(power * a[n]);
    }
    Matrix matrix(shape.half);
    for (std::int64_t j = 0; j < shape.half; ++j) {
        for (std::int64_t k = 0; k < shape.half; ++k) {
            const Ball& near = c[static_cast<std::size_t>(std::abs(j - k))];
            const Ball& far = c[static_cast<std::size_t>(j + k + (odd ? 1 : 0))];
            matrix.set(j, k, odd ? near - far : j == 0 ? near : near + far);
        }
    }
    Ball total = Ball((1 - 2 * shape.d) * shape.half, work) * log(one - t);
    if (shape.half > 0) total = total + log(matrix.determinant(work));
    return odd ? total - Ball(shape.d, work) * log(one - s) : total;
}

// Where Chernoff's exponent is smallest in two regimes: the free ring, and far beyond the knee.
double free_saddle(const RankVariety& variety, double K) {
    return std::sqrt(K / (K + variety.ambient().to_double() + 1));
}

double far_saddle(const RankVariety& variety, double K) {
    const double delta = variety.dimension().to_double();
    const double power =
        4 * (variety.h_mean().numerator().to_double() / variety.h_mean().denominator().to_double());
    double low = 1e-9, high = 1 - 1e-9;
    for (int step = 0; step < 60; ++step) {
        const double s = (low + high) / 2;
        // s d/ds of power ln(1+s) - delta ln(1-s^2) - 2 K ln s.
        const double slope = power * s / (1 + s) + 2 * delta * s * s / (1 - s * s) - 2 * K;
        (slope < 0 ? low : high) = s;
    }
    return (low + high) / 2;
}

// A lower bound of G = sum_j t^(j-K) H(j) / H(K): terms upwards by the smallest growth, downwards by the
// largest. The terms are positive and each is a few ulps off, so that a millionth covers the rounding.
double neighbour_share(const RankVariety& variety, double K, double t) {
    constexpr int most_terms = 200'000;
    const double up = variety.dimension().to_double() + 1, down = variety.ambient().to_double() + 1;
    double share = 1, term = 1;
    for (int i = 0; i < most_terms && term > 1e-12; ++i) {
        term *= t * (up + K + i) / (K + i + 1);
        share += term;
    }
    term = 1;
    for (int i = 0; i < most_terms && i < K && term > 1e-12; ++i) {
        term *= (K - i) / (t * (down + K - i - 1));
        share += term;
    }
    return share * (1 - 1e-6);
}

}  // namespace

std::optional<Ball> saddle_upper(const RankVariety& variety, const Integer& degree, int bits) {
    PLIMSOLL_CHECK(variety.q >= 1 && variety.q < variety.d, "saddle_upper needs 1 <= q < d");
    if (degree < 1) return std::nullopt;
    const Shape shape{variety.d, variety.q, variety.q / 2};
    const double K = degree.to_double(), free = free_saddle(variety, K), far = far_saddle(variety, K);
    const int hardest = needed_bits(shape, std::max(free, far), bits);
    if (estimated_seconds(shape, hardest) > budget_seconds) return std::nullopt;
    const auto exponent = [&](double s) {
        const int work = needed_bits(shape, s, bits);
        const Ball root = Ball::from_double(s, work);
        const Ball share = Ball::from_double(neighbour_share(variety, K, s * s), work);
        return log_average(shape, s, work) - Ball(Integer(2) * degree, work) * log(root) -
               log((Ball(1, work) - root * root) * share);
    };
    std::optional<Ball> best;
    for (const double share : {0.0, 0.5, 1.0}) {
        const Ball value = exponent(std::pow(free, 1 - share) * std::pow(far, share));
        if (!value.is_finite() || value.upper() - value.lower() > 1e-3) continue;  // too few bits after all
        if (!best || value.upper() < best->upper()) best = value;
    }
    return best;
}

}  // namespace plimsoll::theory

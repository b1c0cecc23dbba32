#include "plimsoll/theory/capacity/numerator_average.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/numbers/flint_headers.h"
#include "plimsoll/theory/numbers/special_fast.h"

// With m = d - q + 1 the average is a product over the Verblunsky coefficients alpha_n of the weight
// |1 + s z|^(2m) on the circle, whose Fourier coefficients are c_n = s^n sum_j binom(m, j) binom(m, n+j) t^j:
// Geronimus' relations turn them into the norms of the orthogonal polynomials on [-1, 1]. Schur's algorithm
// gives alpha_0 .. alpha_(q-2) in q^2 products.
namespace plimsoll::theory {
namespace {

arb_struct* raw(Ball& ball) { return static_cast<arb_struct*>(ball.raw()); }
const arb_struct* raw(const Ball& ball) { return static_cast<const arb_struct*>(ball.raw()); }

// Is the term below the last bit of the sum?
bool negligible(const Ball& term, const Ball& sum) {
    const slong small = arf_abs_bound_lt_2exp_si(arb_midref(raw(term)));
    return small + sum.bits() + 2 < arf_abs_bound_lt_2exp_si(arb_midref(raw(sum)));
}

// c_n and c_(n+1) by their sums of positive terms, T_j and U_j = T_j (m-n-j)/(n+j+1), T_(j+1) = U_j t
// (m-j)/(j+1). The ratio of neighbours falls with j: once it is below 0.49 the rest is below 2 T_(j+1), or 2m
// T_(j+1) for U.
std::pair<Ball, Ball> fourier_sums(std::int64_t m, std::int64_t n, const Ball& s) {
    const int bits = s.bits();
    const Ball t = s * s;
    const double t_value = t.upper();
    Ball term(binomial(m, n), bits), first(0, bits), second(0, bits);
    for (std::int64_t j = 0;; ++j) {
        first = first + term;
        if (j + n >= m) break;
        arb_mul_si(raw(term), raw(term), m - n - j, bits);
        arb_div_si(raw(term), raw(term), n + j + 1, bits);
        second = second + term;
        arb_mul(raw(term), raw(term), raw(t), bits);
        arb_mul_si(raw(term), raw(term), m - j, bits);
        arb_div_si(raw(term), raw(term), j + 1, bits);
        const double ratio = t_value * static_cast<double>(m - j) * static_cast<double>(m - n - j) /
                             (static_cast<double>(j + 1) * static_cast<double>(n + j + 1));
        if (ratio < 0.49 && negligible(term, first)) {
            first = Ball::hull(first, first + term * Ball(2, bits));
            second = Ball::hull(second, second + term * Ball(2 * m, bits));
            break;
        }
    }
    Ball power(bits);
    arb_pow_ui(raw(power), raw(s), static_cast<ulong>(n), bits);
    return {power * first, power * s * second};
}

// c_0 .. c_last. Downwards s (m+1-n) c_(n-1) = n (1+t) c_n + s (m+n+1) c_(n+1) has positive terms only, so
// that nothing is lost.
std::vector<Ball> fourier_coefficients(std::int64_t m, std::int64_t last, const Ball& s) {
    const int bits = s.bits();
    std::vector<Ball> c(static_cast<std::size_t>(last) + 2, Ball(0, bits));
    const std::int64_t top = std::min(last, m);
    std::tie(c[static_cast<std::size_t>(top)], c[static_cast<std::size_t>(top) + 1]) =
        fourier_sums(m, top, s);
    const Ball sum_of_squares = Ball(1, bits) + s * s;
    for (std::int64_t n = top; n >= 1; --n) {
        const auto i = static_cast<std::size_t>(n);
        const Ball here = Ball(n, bits) * sum_of_squares * c[i], above = Ball(m + n + 1, bits) * s * c[i + 1];
        c[i - 1] = (here + above) / (Ball(m + 1 - n, bits) * s);
    }
    return c;
}

// Schur's algorithm: alpha_n = b_0 / a_0, then (a, b) loses its projection and b moves up.
std::vector<Ball> verblunsky(const std::vector<Ball>& c, std::int64_t count, int bits) {
    std::vector<Ball> a(c.begin(), c.end() - 1), b(c.begin() + 1, c.end()), out;
    Ball old_a(bits);
    for (std::int64_t n = 0; n < count; ++n) {
        const Ball alpha = b[0] / a[0];
        out.push_back(alpha);
        const auto left = static_cast<std::size_t>(count - n);
        for (std::size_t i = 0; i < left; ++i) {
            old_a = a[i];
            arb_submul(raw(a[i]), raw(alpha), raw(b[i]), bits);
            arb_submul(raw(b[i]), raw(alpha), raw(old_a), bits);
        }
        std::move(b.begin() + 1, b.begin() + static_cast<std::ptrdiff_t>(left), b.begin());
    }
    return out;
}

// The product of the norms h_0 .. h_(count-1), h_0 = first and h_k = h_(k-1) r_k with r_k = (1 - u
// alpha_(2k-3+v)) (1 - alpha_(2k-2+v)^2) (1 + u alpha_(2k-1+v)), alpha_(-1) = 0: Geronimus' relations,
// relative to the weight 1. u = 1, v = 0 for the weight itself and u = -1, v = 2 for the weight times sin^2.
Ball norms(const Ball& first, const std::vector<Ball>& alpha, std::int64_t count, std::int64_t u,
           std::int64_t v) {
    const int bits = first.bits();
    const Ball one(1, bits), sign(u, bits);
    Ball norm = first, total = one;
    for (std::int64_t k = 0; k < count; ++k) {
        if (k > 0) {
            const auto i = static_cast<std::size_t>(2 * k - 2 + v);
            if (i > 0) norm = norm * (one - sign * alpha[i - 1]);
            norm = norm * (one - alpha[i] * alpha[i]) * (one + sign * alpha[i + 1]);
        }
        total = total * norm;
    }
    return total;
}

// q = 2l: rotations have l free angles; reflections have the eigenvalues 1 and -1 and l - 1 free angles,
// whose density carries sin^2.
Ball even_average(const RankVariety& variety, const Ball& s, const Ball& c0, const std::vector<Ball>& alpha) {
    const int bits = s.bits();
    const Ball one(1, bits), rotations = norms(c0, alpha, variety.q / 2, 1, 0);
    const Ball first = c0 * (one - alpha[0] * alpha[0]) * (one - alpha[1]);
    Ball fixed(bits);
    arb_pow_ui(raw(fixed), raw(one - s * s), static_cast<ulong>(variety.d - variety.q + 1), bits);
    const Ball reflections = fixed * norms(first, alpha, variety.q / 2 - 1, -1, 2);
    return (rotations + reflections) / Ball(2, bits);
}

// q = 2l + 1: rotations have the eigenvalue 1 and a density with 1 - cos, which multiplies the norms by
// P_l(1) = prod_{j <= 2l-2} (1 - alpha_j); reflections are the same with -s, which turns the sign of
// alpha_(2j).
Ball odd_average(const RankVariety& variety, const Ball& s, const Ball& c0, const std::vector<Ball>& alpha) {
    const int bits = s.bits();
    const Ball one(1, bits), product = norms(c0, alpha, variety.q / 2, 1, 0);
    const auto component = [&](std::int64_t sign) {
        const Ball signed_one(sign, bits);
        Ball power(bits), value = one;
        arb_pow_ui(raw(power), raw(one + signed_one * s), static_cast<ulong>(variety.d - variety.q + 1),
                   bits);
        for (std::int64_t j = 0; j + 2 < variety.q; ++j) {
            value = value * (one - (j % 2 == 0 ? signed_one : one) * alpha[static_cast<std::size_t>(j)]);
        }
        return power * value;
    };
    return product * (component(1) + component(-1)) / Ball(2, bits);
}

// Each step of Schur's algorithm can lose the factor (1+|alpha|)/(1-|alpha|), and these multiply to at most
// binom(q+2m, q), their value at s = 1; the balls were seen to lose up to 4.6 bits a step on top of it.
int working_bits(const RankVariety& variety, int bits) {
    const auto q = static_cast<double>(variety.q), m = static_cast<double>(variety.d - variety.q + 1);
    const double loss =
        (fast::log_gamma(q + 2 * m + 1) - fast::log_gamma(q + 1) - fast::log_gamma(2 * m + 1)) /
        std::log(2.0);
    return bits + 96 + static_cast<int>(loss + 6 * q);
}

}  // namespace

Ball log_numerator(const RankVariety& variety, double s, int bits) {
    PLIMSOLL_CHECK(variety.q >= 1 && variety.q < variety.d && s > 0 && s <= 1,
                   "the numerator needs 1 <= q < d, 0 < s <= 1");
    const std::int64_t m = variety.d - variety.q + 1, count = std::max<std::int64_t>(2, variety.q - 1);
    const int work = working_bits(variety, bits);
    const Ball root = Ball::from_double(s, work);
    const auto c = fourier_coefficients(m, count + 1, root);
    const auto alpha = verblunsky(c, count, work);
    return log(variety.q % 2 == 0 ? even_average(variety, root, c[0], alpha)
                                  : odd_average(variety, root, c[0], alpha));
}

double log_numerator_seconds(const RankVariety& variety, int bits) {
    const double limbs = working_bits(variety, bits) / 64.0, q = static_cast<double>(variety.q),
                 m = static_cast<double>(variety.d - variety.q + 1);
    const double sums =
        variety.q > variety.d - variety.q ? 0 : static_cast<double>(variety.d) * (1.2e-7 + 6e-9 * limbs);
    return sums + q * std::min(q, 2 * m + 20) * (5e-8 + 3e-9 * std::pow(limbs, 1.5));
}

}  // namespace plimsoll::theory

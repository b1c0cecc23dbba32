#include "plimsoll/theory/numbers/barnes_integer.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/numbers/flint_headers.h"
#include "plimsoll/theory/numbers/flint_integer.h"
#include "plimsoll/theory/numbers/multiset_log.h"

namespace plimsoll::theory {
namespace {

// From here on the asymptotic series reaches 2^-150 before its terms grow again.
constexpr std::int64_t series_from = 24;
constexpr int series_bits = 150;

Ball by_factorials(std::int64_t n, int bits) {
    Integer product = 1, factorial = 1;
    for (std::int64_t i = 1; i < n; ++i) {
        factorial *= i;
        product *= factorial;
    }
    return log(Ball(product, bits));
}

// zeta'(-1) = 1/12 - ln A, A the Glaisher-Kinkelin constant.
const Ball& zeta_slope(int bits) {
    thread_local Ball cached(2);
    if (cached.bits() < bits) {
        Ball glaisher(bits + 16);
        arb_const_glaisher(static_cast<arb_struct*>(glaisher.raw()), bits + 16);
        cached = Ball(Rational(Integer(1), Integer(12)), bits + 16) - log(glaisher);
    }
    return cached;
}

const Ball& log_two_pi(int bits) {
    thread_local Ball cached(2);
    if (cached.bits() < bits) cached = log(Ball(2, bits + 16) * Ball::pi(bits + 16));
    return cached;
}

Rational bernoulli(std::int64_t index) {
    fmpq_t value;
    fmpq_init(value);
    arith_bernoulli_number(value, index);
    Integer numerator, denominator;
    fmpz_set(as_fmpz(numerator), fmpq_numref(value));
    fmpz_set(as_fmpz(denominator), fmpq_denref(value));
    fmpq_clear(value);
    return {numerator, denominator};
}

// B_{2k+2} / (4 k (k+1)), k = 1, 2, ...
const std::vector<Rational>& series_terms() {
    static const std::vector<Rational> terms = [] {
        std::vector<Rational> out;
        for (std::int64_t k = 1; k <= 40; ++k)
            out.push_back(bernoulli(2 * k + 2) / Rational(4 * k * (k + 1)));
        return out;
    }();
    return terms;
}

// sum_k B_{2k+2} / (4 k (k+1) n^2k). The series is enveloping for n > 0 (its generating function is a sum
// over m of 2w(1-w)/(1+w)^2, w = t^2 / (2 pi m)^2, whose remainders are bounded by the first term left out),
// so that term is the error.
Ball tail_series(std::int64_t n, int bits) {
    const Ball inverse_square = Ball(1, bits) / Ball(Integer(n) * n, bits);
    Ball power = inverse_square, sum(0, bits);
    for (const auto& coefficient : series_terms()) {
        const Ball term = Ball(coefficient, bits) * power;
        if (abs(term).upper() < std::ldexp(1.0, -std::min(bits, series_bits))) {
            return sum + Ball::hull(-abs(term).upper_end(), abs(term).upper_end());
        }
        sum = sum + term;
        power = power * inverse_square;
    }
    PLIMSOLL_CHECK(false, "the series of ln G did not reach its precision");
    return sum;
}

}  // namespace

Ball log_barnes_g1(std::int64_t n, int bits) {
    PLIMSOLL_CHECK(n >= 0, "log_barnes_g1 needs n >= 0");
    if (n < series_from) return by_factorials(n, bits);
    const Ball z(n, bits), square(Integer(n) * n, bits), log_z = log(z);
    const Ball half(Rational(Integer(1), Integer(2)), bits),
        three_quarters(Rational(Integer(3), Integer(4)), bits);
    return square * half * log_z - three_quarters * square + z * half * log_two_pi(bits) -
           log_z / Ball(12, bits) + zeta_slope(bits) + tail_series(n, bits);
}

}  // namespace plimsoll::theory

#include "plimsoll/theory/numbers/multiset_log.h"

#include "plimsoll/base/check.h"
#include "plimsoll/theory/numbers/flint_headers.h"

namespace plimsoll::theory {

int cancellation_bits(const Integer& size) {
    const auto digits = static_cast<int>(size.bits());
    return digits + 2 * static_cast<int>(Integer(digits + 2).bits()) + 8;
}

Ball log_multiset(const Integer& n, const Integer& k, int bits) {
    PLIMSOLL_CHECK(n >= 1 && k >= 0, "log_multiset needs n >= 1 and k >= 0");
    if (k == 0 || n == 1) return Ball(0, bits);
    const int work = bits + cancellation_bits(n + k);
    const auto log_gamma = [work](const Integer& x) { return lgamma(Ball(x, work)); };
    const Ball wide = log_gamma(n + k) - log_gamma(n) - log_gamma(k + 1);
    return wide + Ball(0, bits);
}

Ball log_multiset(const Rational& n, const Rational& x, int bits) {
    if (n.is_integer() && x.is_integer() && x >= 0) return log_multiset(n.numerator(), x.numerator(), bits);
    PLIMSOLL_CHECK(n > 0 && x > Rational(-1), "log_multiset needs n > 0 and x > -1");
    const int work = bits + cancellation_bits((n + x).floor() + 2);
    const auto log_gamma = [work](const Rational& value) { return lgamma(Ball(value, work)); };
    return log_gamma(n + x) - log_gamma(n) - log_gamma(x + Rational(1));
}

Ball ln3(int bits) { return log(Ball(3, bits)); }

Ball log_factorial(const Integer& n, int bits) { return lgamma(Ball(n + 1, bits)); }

Ball log_barnes_g(const Rational& z, int bits) {
    PLIMSOLL_CHECK(z > 0, "log_barnes_g needs z > 0");
    const int work = bits + 2 * static_cast<int>(z.floor().bits()) + 16;
    const Ball point(z, work);
    Ball out(bits);
    acb_t in, value;
    acb_init(in);
    acb_init(value);
    acb_set_arb(in, static_cast<const arb_struct*>(point.raw()));
    acb_log_barnes_g(value, in, work);
    acb_get_real(static_cast<arb_struct*>(out.raw()), value);
    acb_clear(in);
    acb_clear(value);
    return out;
}

}  // namespace plimsoll::theory

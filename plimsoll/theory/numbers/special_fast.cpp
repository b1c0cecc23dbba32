#include "plimsoll/theory/numbers/special_fast.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plimsoll::theory::fast {
namespace {

constexpr double zeta_slope_at_minus_one = -0.165421143700450929;
const double log_two_pi_fast = std::log(2 * std::numbers::pi);

}  // namespace

double log_add(double a, double b) { return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b))); }

double log_gamma(double x) {
    int sign = 0;
    return ::lgamma_r(x, &sign);
}

// Differences of log-gammas lose k/n ulps; far above n the factors are paired instead, (k+i)(k+n-i) = x^2 -
// (n/2-i)^2 with x = k + n/2, and the logarithm is expanded.
double log_multiset(double n, double k) {
    if (k <= 0 || n <= 1) return 0;
    if (k < 1e5 * n) return log_gamma(n + k) - log_gamma(n) - log_gamma(k + 1);
    const double x = k + n / 2;
    return (n - 1) * std::log(x) - n * (n - 1) * (n - 2) / (24 * x * x) - log_gamma(n);
}

double digamma(double x) {
    double shift = 0;
    while (x < 8) {
        shift -= 1 / x;
        x += 1;
    }
    const double r = 1 / (x * x);
    return shift + std::log(x) - 0.5 / x - r * (1.0 / 12 - r * (1.0 / 120 - r * (1.0 / 252 - r / 240)));
}

double trigamma(double x) {
    double shift = 0;
    while (x < 8) {
        shift += 1 / (x * x);
        x += 1;
    }
    const double r = 1 / (x * x);
    return shift + (1 + (0.5 + (1.0 / 6 - r * (1.0 / 30 - r * (1.0 / 42 - r / 30))) / x) / x) / x;
}

double log_barnes_g1(double z) {
    double shift = 0;
    while (z < 12) {
        shift -= log_gamma(z + 1);
        z += 1;
    }
    const double log_z = std::log(z), r = 1 / (z * z);
    const double tail = r * (-1.0 / 240 + r * (1.0 / 1008 - r * (1.0 / 1440 - r / 1056)));
    return shift + z * z / 2 * log_z - 0.75 * z * z + z / 2 * log_two_pi_fast - log_z / 12 +
           zeta_slope_at_minus_one + tail;
}

double log_barnes_g1_slope(double z) { return z * digamma(1 + z) - z + (log_two_pi_fast - 1) / 2; }

double log_barnes_g1_curvature(double z) { return digamma(1 + z) + z * trigamma(1 + z) - 1; }

}  // namespace plimsoll::theory::fast

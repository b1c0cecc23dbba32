#include "plimsoll/report/statistics/student.h"

#include <cmath>
#include <numbers>

#include "plimsoll/base/check.h"

namespace plimsoll::report {
namespace {

// From here the expansion in 1 / freedom is exact to 1e-15 and the sum would be long.
constexpr std::size_t many = 100'000;

// Where the rising `probability` passes `level`, by halving until the doubles are neighbours.
template <class Probability>
double inverse(Probability probability, double level) {
    double low = 0, high = 1;
    while (probability(high) < level) high *= 2;
    while (true) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) return middle;
        (probability(middle) < level ? low : high) = middle;
    }
}

// Cornish and Fisher's expansion around the normal quantile z, to second order.
double expanded_quantile(double z, double freedom) {
    const double cube = z * z * z, fifth = cube * z * z;
    return z + (cube + z) / (4 * freedom) + (5 * fifth + 16 * cube + 3 * z) / (96 * freedom * freedom);
}

}  // namespace

double student_within(double t, std::size_t freedom) {
    PLIMSOLL_CHECK(freedom >= 1 && t >= 0, "student_within of nothing");
    const double nu = static_cast<double>(freedom);
    const double angle = std::atan2(t, std::sqrt(nu));
    const double sine = std::sin(angle), squared = nu / (nu + t * t);  // the cosine, squared
    const bool odd = freedom % 2 == 1;
    // 1 + (1/2) c^2 + (1*3)/(2*4) c^4 ... for even, c (1 + (2/3) c^2 + ...) for odd degrees of freedom.
    double term = odd ? std::sqrt(squared) : 1, sum = 0;
    for (std::size_t k = odd ? 3 : 2; k <= freedom; k += 2) {
        sum += term;
        term *= squared * static_cast<double>(k - 1) / static_cast<double>(k);
    }
    return odd ? 2 / std::numbers::pi * (angle + sine * sum) : sine * sum;
}

double normal_quantile(double level) {
    PLIMSOLL_CHECK(level > 0 && level < 1, "a level must lie between 0 and 1");
    return inverse([](double z) { return std::erf(z / std::numbers::sqrt2); }, level);
}

double student_quantile(double level, std::size_t freedom) {
    PLIMSOLL_CHECK(level > 0 && level < 1, "a level must lie between 0 and 1");
    if (freedom > many) return expanded_quantile(normal_quantile(level), static_cast<double>(freedom));
    return inverse([freedom](double t) { return student_within(t, freedom); }, level);
}

}  // namespace plimsoll::report

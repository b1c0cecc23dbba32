#include "plimsoll/report/statistics/fisher.h"

#include <cmath>

#include "plimsoll/base/check.h"

namespace plimsoll::report {
namespace {

constexpr int intervals = 2000;  // Simpson's rule; the integrand has no corner

// The integral of sin^(below - 1) cos^(above - 1) from 0 to `angle`.
double integral(double angle, std::size_t above, std::size_t below) {
    const auto integrand = [&](int i) {
        const double x = angle * i / intervals;
        return std::pow(std::sin(x), static_cast<double>(below - 1)) *
               std::pow(std::cos(x), static_cast<double>(above - 1));
    };
    double sum = integrand(0) + integrand(intervals);
    for (int i = 1; i < intervals; ++i) sum += (i % 2 == 1 ? 4 : 2) * integrand(i);
    return sum * angle / intervals / 3;
}

}  // namespace

// The incomplete beta function at sin^2 of an angle.
double fisher_above(double ratio, std::size_t above, std::size_t below) {
    PLIMSOLL_CHECK(above >= 1 && below >= 1 && ratio >= 0, "fisher_above of nothing");
    const double angle =
        std::atan2(std::sqrt(static_cast<double>(below)), std::sqrt(static_cast<double>(above) * ratio));
    const double whole = std::beta(0.5 * static_cast<double>(below), 0.5 * static_cast<double>(above)) / 2;
    return integral(angle, above, below) / whole;
}

}  // namespace plimsoll::report

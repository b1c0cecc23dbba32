#include "plimsoll/rank/error_bound.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::rank {
namespace {

constexpr std::size_t least_slack = 20, most_slack = 64;
constexpr double wanted_log10 = -12;

double log10_binomial(double n, double k) {
    return (std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)) / std::log(10.0);
}

}  // namespace

double hidden_rank_log10(std::size_t size, std::size_t slack, std::uint64_t degree, std::uint64_t prime) {
    if (degree >= prime || slack == 0 || slack > size) return 0;
    const double n = static_cast<double>(size), s = static_cast<double>(slack);
    const double share = std::log10(static_cast<double>(degree)) - std::log10(static_cast<double>(prime));
    return std::min(0.0, std::log10(2.0) + log10_binomial(n + 1, s + 1) + s * share);
}

std::size_t slack_for(std::size_t size, std::uint64_t degree, std::uint64_t prime) {
    for (std::size_t slack = least_slack; slack < most_slack; ++slack) {
        if (hidden_rank_log10(size, slack, degree, prime) <= wanted_log10) return slack;
    }
    return most_slack;
}

double add_log10(double a, double b) {
    const double high = std::max(a, b), low = std::min(a, b);
    return std::min(0.0, high + std::log10(1 + std::pow(10.0, low - high)));
}

}  // namespace plimsoll::rank

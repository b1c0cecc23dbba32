#include "plimsoll/theory/attainment/norm_powers.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/numbers/multiset_log.h"
#include "plimsoll/theory/numbers/special_fast.h"

namespace plimsoll::theory {
namespace {

Integer norm_power(std::int64_t depth, const Integer& directions) {
    PLIMSOLL_CHECK(depth >= 2 && directions >= 1, "D1 needs L >= 2 and n >= 1");
    return power_of_three(depth - 2);
}

}  // namespace

Integer d1_directions(const Integer& heads, const Integer& head_dim, const std::optional<Integer>& rank) {
    const Integer read = heads * (head_dim - 1);
    return rank ? std::min(read, *rank - 1) : read;
}

std::int64_t d1_shared_directions(std::int64_t rank, std::int64_t heads, std::int64_t head_dim) {
    return std::min(Integer(rank), Integer(heads) * head_dim).to_int64() - 1;
}

Integer d1_attained(std::int64_t depth, const Integer& directions) {
    const Integer power = norm_power(depth, directions);
    return multiset(directions + 2, power) - multiset(directions + 2, power - 2);
}

// The difference is ((n+1, lam)) + ((n+1, lam-1)) = ((n+1, lam)) (n + 2 lam) / (n + lam).
Ball d1_attained_log3(std::int64_t depth, const Integer& directions, int bits) {
    const Integer power = norm_power(depth, directions);
    const Rational both(directions + power * 2, directions + power);
    return (log_multiset(directions + 1, power, bits) + log(Ball(both, bits))) / ln3(bits);
}

double fast::d1_attained_log3(std::int64_t depth, double directions) {
    constexpr std::int64_t powers_fit = 600;  // 3^600 is a double
    const double layers = static_cast<double>(depth - 2), ln_3 = std::log(3.0);
    if (depth > powers_fit) return directions * layers + (std::log(2.0) - log_gamma(directions + 1)) / ln_3;
    const double power = std::pow(3.0, layers);
    return (log_multiset(directions + 1, power) + std::log1p(power / (directions + power))) / ln_3;
}

}  // namespace plimsoll::theory

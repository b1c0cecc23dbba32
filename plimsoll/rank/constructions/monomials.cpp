#include "plimsoll/rank/constructions/monomials.h"

#include <algorithm>

#include "plimsoll/base/check.h"

namespace plimsoll::rank {

double Monomials::count_of(std::size_t variables, std::size_t degree) {
    const auto n = static_cast<double>(variables);
    double count = 1;
    for (double i = 1; i <= static_cast<double>(degree); ++i) count *= (n + i - 1) / i;
    return count;
}

double Monomials::table_bytes(std::size_t variables, std::size_t max_degree) {
    const auto n = static_cast<double>(variables);
    double entries = 0;
    for (std::size_t k = 0; k < max_degree; ++k) entries += count_of(variables, k) * n;
    return entries * sizeof(std::uint32_t);
}

Monomials::Monomials(std::size_t variables, std::size_t max_degree) : variables_(variables) {
    PLIMSOLL_CHECK(variables >= 1 && count_of(variables, max_degree) < 0x1p32, "too many monomials");
    // Those of degree k that start with u are followed by any of degree k-1 in the variables from u on.
    base_.push_back(std::vector<std::uint64_t>(variables + 1, 0));
    base_[0][variables] = 1;
    for (std::size_t k = 1; k <= max_degree; ++k) {
        auto& base = base_.emplace_back(variables + 1, 0);
        for (std::size_t u = 0; u < variables; ++u) {
            const std::uint64_t below = k == 1 ? 0 : base_[k - 1][u];
            base[u + 1] = base[u] + base_[k - 1][variables] - below;
        }
    }
    times_.resize(max_degree);
    for (std::size_t k = 0; k < max_degree; ++k) tabulate(k);
}

// x_u m, for m in the variables from u on, comes base[k+1][u] + (m - base[k][u])-th.
void Monomials::tabulate(std::size_t degree) {
    const auto &base = base_[degree], &next = base_[degree + 1];
    auto& table = times_[degree];
    table.resize(count(degree) * variables_);
    if (degree == 0) {
        for (std::size_t v = 0; v < variables_; ++v) table[v] = static_cast<std::uint32_t>(v);
        return;
    }
    for (std::size_t u = 0; u < variables_; ++u) {
        const std::uint64_t tail_base = degree == 1 ? 0 : base_[degree - 1][u];
        for (std::uint64_t m = base[u]; m < base[u + 1]; ++m) {
            const auto tail = static_cast<std::uint32_t>(m - base[u] + tail_base);
            for (std::size_t v = 0; v < variables_; ++v) {
                const std::uint64_t place =
                    v <= u ? next[v] + m - base[v] : next[u] + times(degree - 1, tail, v) - base[u];
                table[m * variables_ + v] = static_cast<std::uint32_t>(place);
            }
        }
    }
}

std::vector<std::uint32_t> Monomials::factors(std::size_t degree, std::uint32_t monomial) const {
    std::vector<std::uint32_t> result;
    std::uint64_t m = monomial;
    for (std::size_t k = degree; k > 0; --k) {
        const auto& base = base_[k];
        const auto first = std::upper_bound(base.begin(), base.end(), m) - base.begin() - 1;
        result.push_back(static_cast<std::uint32_t>(first));
        m = m - base[first] + (k == 1 ? 0 : base_[k - 1][first]);
    }
    return result;
}

}  // namespace plimsoll::rank

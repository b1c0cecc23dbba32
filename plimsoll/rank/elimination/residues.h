#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/nets/matrix.h"
#include "plimsoll/rank/balanced_field.h"

namespace plimsoll::rank {

// The balanced form of a residue 0 .. p-1, and of all elements of a matrix, row by row.
inline double balanced(const BalancedField& field, std::uint64_t residue) {
    return field.from_integer(static_cast<std::int64_t>(residue));
}
inline std::vector<double> balanced(const BalancedField& field, const nets::Matrix<std::uint64_t>& a) {
    std::vector<double> result;
    for (const std::uint64_t x : a.data()) result.push_back(balanced(field, x));
    return result;
}

// The arithmetic of PrimeField for inner loops: no division and no call.
// Sums of up to 128 products of numbers below p in absolute value are exact, and one reduction makes them
// residues again.
class Residues {
  public:
    static constexpr std::size_t terms_per_reduction = 128;

    explicit Residues(const BalancedField& field) : p_(field.p), inverse_(1.0 / field.p) {}

    [[nodiscard]] double p() const { return p_; }
    [[nodiscard]] double inverse_of_p() const { return inverse_; }

    // The balanced residue of an integer below 2^53 in absolute value. The quotient of the first step may be
    // one off near a half; the second step is exact.
    [[nodiscard]] double reduce(double x) const { return step(step(x)); }
    [[nodiscard]] double multiply(double a, double b) const { return reduce(a * b); }
    // The residue of sum_k a[k] b[k stride].
    [[nodiscard]] double dot(const double* a, const double* b, std::size_t stride, std::size_t n) const {
        double total = 0;
        for (std::size_t k = 0; k < n; ++k) {
            total += a[k] * b[k * stride];
            if ((k + 1) % terms_per_reduction == 0) total = step(total);
        }
        return reduce(total);
    }

  private:
    [[nodiscard]] double step(double x) const {
        constexpr double rounder = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to a whole number
        return x - p_ * (x * inverse_ + rounder - rounder);
    }

    double p_, inverse_;
};

}  // namespace plimsoll::rank

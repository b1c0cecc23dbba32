#include "plimsoll/nets/attainment/head_factors.h"

namespace plimsoll::nets {

Factors zero_factors(const HeadSize& size) {
    return {MatrixOver<PrimeField>(size.width, size.head_dim),
            MatrixOver<PrimeField>(size.head_dim, size.width)};
}

Factors projection_factors(const HeadSize& size, std::size_t from, std::size_t count) {
    PLIMSOLL_CHECK(count <= size.head_dim && from + count <= size.width, "projection too large for a head");
    Factors result = zero_factors(size);
    for (std::size_t k = 0; k < count; ++k) result.left(from + k, k) = result.right(k, from + k) = 1;
    return result;
}

Factors first_row_factors(const HeadSize& size, const FieldVector& a, std::size_t from) {
    PLIMSOLL_CHECK(from + a.size() <= size.width, "vector longer than the width");
    Factors result = zero_factors(size);
    result.left(0, 0) = 1;
    for (std::size_t k = 0; k < a.size(); ++k) result.right(0, from + k) = a[k];
    return result;
}

Head<std::uint64_t> head_of(const Factors& v, const Factors& k) {
    return {.query = k.right, .key = transpose(k.left), .value = v.right, .output = v.left};
}

Head<std::uint64_t> silent_head(const HeadSize& size) {
    return head_of(zero_factors(size), zero_factors(size));
}

void add_collapse(AttentionWeights<std::uint64_t>& weights, const HeadSize& size, std::size_t heads,
                  std::int64_t count) {
    const Factors corner = projection_factors(size, 0, 1);
    std::vector<Head<std::uint64_t>> layer(heads, silent_head(size));
    layer.front() = head_of(corner, corner);
    for (std::int64_t l = 0; l < count; ++l) weights.layers.push_back(layer);
}

std::uint64_t power_of_three(std::int64_t exponent) {
    PLIMSOLL_CHECK(exponent >= 0 && exponent <= 40, "3^exponent must fit 64 bits");
    std::uint64_t result = 1;
    for (std::int64_t k = 0; k < exponent; ++k) result *= 3;
    return result;
}

std::uint64_t collapse_power(std::int64_t count) { return (power_of_three(count) - 1) / 2; }

MatrixOver<PrimeField> matrix_power(const PrimeField& field, const MatrixOver<PrimeField>& a,
                                    std::uint64_t exponent) {
    MatrixOver<PrimeField> result = identity(field, a.rows());
    for (std::uint64_t k = 0; k < exponent; ++k) result = product(field, result, a);
    return result;
}

MatrixOver<PrimeField> column(const FieldVector& entries) {
    MatrixOver<PrimeField> result(entries.size(), 1);
    result.data() = entries;
    return result;
}

}  // namespace plimsoll::nets

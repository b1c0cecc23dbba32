#pragma once

#include <array>
#include <functional>
#include <optional>

#include "plimsoll/base/random.h"
#include "tests/support/sampled_rank.h"

// The rank of a Hessian by arithmetic with two infinitesimals, modulo 2^61 - 1; for the tests of theorem D2.
namespace plimsoll::theory {

using testing::FieldMatrix;
inline const nets::PrimeField hessian_field;

// A matrix over F_p[x, y] / (x^2, y^2): the parts at 1, x, y and xy.
using BiDual = std::array<FieldMatrix, 4>;

inline BiDual product(const BiDual& a, const BiDual& b) {
    const auto times = [&](std::size_t i, std::size_t j) { return nets::product(hessian_field, a[i], b[j]); };
    const auto plus = [&](const auto& s, const auto& t) { return nets::sum(hessian_field, s, t); };
    return {times(0, 0), plus(times(0, 1), times(1, 0)), plus(times(0, 2), times(2, 0)),
            plus(plus(times(0, 3), times(3, 0)), plus(times(1, 2), times(2, 1)))};
}

inline BiDual sum(const BiDual& a, const BiDual& b) {
    BiDual out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = nets::sum(hessian_field, a[i], b[i]);
    return out;
}

// a^exponent, exponent >= 1.
inline BiDual power(const BiDual& a, std::size_t exponent) {
    BiDual out = a;
    for (std::size_t i = 1; i < exponent; ++i) out = product(out, a);
    return out;
}

// Rows and columns outside first..last-1 become zero.
inline BiDual cut(const BiDual& a, std::size_t first, std::size_t last) {
    BiDual out = a;
    for (auto& part : out) {
        for (std::size_t i = 0; i < part.rows(); ++i) {
            for (std::size_t j = 0; j < part.cols(); ++j) {
                if (i < first || i >= last || j < first || j >= last) part(i, j) = 0;
            }
        }
    }
    return out;
}

// g = a^T F(G) a, by its matrix F.
using FormMatrix = std::function<BiDual(const BiDual& gram)>;

inline std::uint64_t form_part(const FieldMatrix& matrix, const FieldMatrix& a) {
    return nets::product(hessian_field, nets::transpose(a), matrix, a)(0, 0);
}

// A square root modulo p = 3 mod 4.
inline std::optional<std::uint64_t> field_root(std::uint64_t square) {
    const auto root = nets::power(hessian_field, square, (hessian_field.prime() + 1) / 4);
    if (hessian_field.multiply(root, root) != square) return std::nullopt;
    return root;
}

// Some a in the first n coordinates with a^T M a = 0: all random but a_2, a root of A z^2 + 2 B z + C.
inline std::optional<FieldMatrix> isotropic_vector(const FieldMatrix& matrix, std::size_t n,
                                                   RandomStream& stream) {
    const auto& f = hessian_field;
    FieldMatrix a(matrix.rows(), 1);
    for (std::size_t i = 0; i < n; ++i) a(i, 0) = f.random(stream);
    a(1, 0) = 0;
    const auto A = matrix(1, 1), B = nets::product(f, matrix, a)(1, 0), C = form_part(matrix, a);
    const auto root = field_root(f.subtract(f.multiply(B, B), f.multiply(A, C)));
    if (A == 0 || !root) return std::nullopt;
    a(1, 0) = f.multiply(f.subtract(*root, B), f.inverse(A));
    return a;
}

// E_pc = E_cp = 1, p <= c and p < q: the tangent space of rank <= q at a matrix in the first q coordinates.
inline std::vector<FieldMatrix> tangent_basis(std::size_t d, std::size_t q) {
    std::vector<FieldMatrix> basis;
    for (std::size_t p = 0; p < q; ++p) {
        for (std::size_t c = p; c < d; ++c) {
            FieldMatrix e(d, d);
            e(p, c) = e(c, p) = 1;
            basis.push_back(e);
        }
    }
    return basis;
}

inline FieldMatrix random_gram(std::size_t d, std::size_t q, RandomStream& stream) {
    FieldMatrix gram(d, d);
    for (std::size_t i = 0; i < q; ++i) {
        for (std::size_t j = 0; j <= i; ++j) gram(i, j) = gram(j, i) = hessian_field.random(stream);
    }
    return gram;
}

// The rank of the Hessian of g on the matrices of rank <= q, at a random point of g = 0; a has n coordinates.
inline std::size_t hessian_rank(std::size_t d, std::size_t q, std::size_t n, const FormMatrix& form) {
    const FieldMatrix zero(d, d);
    for (std::uint64_t seed = 0;; ++seed) {
        RandomStream stream(seed, "hessian");
        const FieldMatrix point = random_gram(d, q, stream);
        const auto a = isotropic_vector(form({point, zero, zero, zero})[0], n, stream);
        if (!a) continue;
        const auto basis = tangent_basis(d, q);
        FieldMatrix hessian(basis.size(), basis.size());
        for (std::size_t i = 0; i < basis.size(); ++i) {
            for (std::size_t j = 0; j <= i; ++j)
                hessian(i, j) = hessian(j, i) = form_part(form({point, basis[i], basis[j], zero})[3], *a);
        }
        return testing::rank_mod_p(hessian_field, hessian);
    }
}

}  // namespace plimsoll::theory

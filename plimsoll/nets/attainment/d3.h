#pragma once

#include "plimsoll/nets/attainment/head_factors.h"

namespace plimsoll::nets {

// The shape of the construction of ATT-D3: one head, width d >= 2n + 2. Coordinate 0 is the hub, coordinate 1
// is called w, then come block 1 and block 2 of n coordinates each; the rest is not used.
struct D3Shape {
    std::int64_t depth = 3;  // L >= L0
    std::int64_t core = 2;   // L0 >= 1
    std::int64_t block = 2;  // n >= 1
    std::int64_t width = 0;  // d; 0: 2n + 2
};

// What side A chooses: the entries of its Gram matrix that are not fixed.
struct D3Data {
    MatrixOver<PrimeField> x;  // X_A, block (1, 2) of G_A; (n, n)
    FieldVector p, p_prime;    // row 0 of G_A on block 1 and on block 2
    std::uint64_t theta = 1;   // row 0 of G_A at w
};

// X_A = P alpha Q^T of rank nu with Q^T P = 0, hence X_A^2 = 0, for random P, Q, alpha; n >= 2 nu. (n, n)
MatrixOver<PrimeField> random_square_zero(const PrimeField& field, std::size_t n, std::size_t nu,
                                          RandomStream& stream);

// k = (3^L0 - 3) / 2: the word in the middle of g has 2k + 1 letters.
std::uint64_t d3_letters(const D3Shape& shape);

// The weights: K exchanges the blocks and keeps w in layers 1 .. L0, where V = I; the others collapse.
AttentionWeights<std::uint64_t> d3_weights(const PrimeField& field, const D3Shape& shape);

// G_A and G_B; (d, d) each.
MatrixOver<PrimeField> d3_left_gram(const D3Shape& shape, const D3Data& data);
MatrixOver<PrimeField> d3_right_gram(const D3Shape& shape, const MatrixOver<PrimeField>& x_b);

// A matrix X (d, 2d) with X X^T = gram for any symmetric `gram`; the field must hold a square root of -1.
MatrixOver<PrimeField> gram_columns(const PrimeField& field, const MatrixOver<PrimeField>& gram);

// The input with these Gram matrices: position 0 holds e_w, the next 2d the rest of G_A, the last 2d G_B;
// (d, 4d + 1).
MatrixOver<PrimeField> d3_input(const PrimeField& field, const D3Shape& shape, const D3Data& data,
                                const MatrixOver<PrimeField>& x_b);

// Output 0 at position 0: theta (2 p'^T X^(2k+1) p + theta^2)^Lambda, X = X_A + X_B.
std::uint64_t d3_closed_form(const PrimeField& field, const D3Shape& shape, const D3Data& data,
                             const MatrixOver<PrimeField>& x_b);

// The function of X_B that the construction isolates when X_A^2 = 0: (p'^T (X_A X_B)^k X_A p)^Lambda. It is
// the coefficient of s^((k+1) Lambda) when X_A becomes s X_A, over 2^Lambda theta.
std::uint64_t d3_kernel(const PrimeField& field, const D3Data& data, const MatrixOver<PrimeField>& x_b,
                        std::uint64_t k, std::uint64_t lambda);

}  // namespace plimsoll::nets

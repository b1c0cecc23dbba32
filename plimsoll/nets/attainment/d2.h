#pragma once

#include "plimsoll/nets/attainment/head_factors.h"

namespace plimsoll::nets {

// The shape of the constructions of ATT-D2 and ATT-D2H: L0 layers make a row r = a^T F(G), and the other
// L - L0 collapse, so that output 0 at position i is y = phi g^Lambda with phi = r x_i, g = r G r^T.
struct D2Shape {
    std::int64_t depth = 2;     // L >= L0; L = L0 has Lambda = 0
    std::int64_t core = 1;      // L0 >= 1
    std::int64_t width = 2;     // d
    std::int64_t heads = 1;     // H
    std::int64_t head_dim = 0;  // d_a with H d_a >= d; 0: the width, for one head
};

// Which network: one head (ATTAINMENT 3.2), heads that share a subspace (4.1) or a block per head (4.2).
enum class D2Kind { one_head, shared, blocks };

// n, the number of entries of `a`: d for one head and for L0 = 1; else the dimension of the subspace that the
// layers up to L0 work in, min(d_a, 3^(L0-1), q) for shared, min(d_a, H (3^(L0-1) - 1), d) for blocks, where
// each side of the split has q positions.
std::size_t d2_free(const D2Shape& shape, D2Kind kind, std::int64_t q);

// The weights for a vector `a` of at least one entry; its size is n. Blocks need L0 >= 2.
AttentionWeights<std::uint64_t> d2_weights(const PrimeField& field, const D2Shape& shape, D2Kind kind,
                                           const FieldVector& a);

// What the network is at the Gram matrix G = X X^T (d, d).
struct D2Form {
    MatrixOver<PrimeField> quadratic;  // g = a^T quadratic a; (n, n)
    MatrixOver<PrimeField> row;        // phi = a^T row x; (n, d)
};

// The closed form of the text. One head: G^m and G^((m-1)/2), m = 3^L0. Shared: W^m' and W^((m'-1)/2) Pi G,
// W = Pi G^3 Pi, m' = 3^(L0-1). Blocks: D^c W D^c and D^c Pi G, D the diagonal blocks of W, c = (m' - 1) / 2.
D2Form d2_closed_form(const PrimeField& field, const D2Shape& shape, D2Kind kind, std::size_t n,
                      const MatrixOver<PrimeField>& gram);

// phi g^Lambda for the column x_i (d, 1).
std::uint64_t d2_value(const PrimeField& field, const D2Shape& shape, const D2Form& form,
                       const FieldVector& a, const MatrixOver<PrimeField>& x);

}  // namespace plimsoll::nets

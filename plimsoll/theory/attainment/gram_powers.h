#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/theory/numbers/ball.h"

// Theorems D2 and D2-H: the layers above the first L0 collapse to a power of one form g of degree 3^L0 in the
// Gram matrix, and sep >= ((rho, Lam)), rho the rank of the Hessian of g on g = 0 (docs/bounds/att-d2.md,
// att-d2-heads.md). Widths and sides to 2^31.
namespace plimsoll::theory {

// Lam(L, L0) = (3^(L-L0) - 1) / 2, the power of g.
Integer collapsed_power(std::int64_t depth, std::int64_t first_layers);

// k d - k(k-1)/2, the dimension of symmetric d x d matrices of rank <= k.
std::int64_t low_rank_dimension(std::int64_t width, std::int64_t k);

// rho for one head of full size: k = min(d, q, 3^L0 - 1), q >= 2 positions on the smaller side (ATT-d2_rho).
std::int64_t d2_rank(std::int64_t width, std::int64_t side, std::int64_t first_layers);
// rho for heads, H d_a >= d: k = min(d, q, 2 min(d_a, 3^(L0-1))) (ATT-d2h_rho_b).
std::int64_t d2_heads_rank_b(std::int64_t width, std::int64_t side, std::int64_t head_dim,
                             std::int64_t first_layers);
// n = min(d_a, H (3^(L0-1) - 1), d) of D2-H(c), which needs n >= 2.
std::int64_t d2_block_size(std::int64_t width, std::int64_t heads, std::int64_t head_dim,
                           std::int64_t first_layers);
// rho = n(d-n) + r(d-n) - r(r-1)/2, r = min(n, d-n), for H >= 2, q >= d and any 2 <= n <= d2_block_size
// (ATT-d2h_rho_c).
std::int64_t d2_heads_rank_c(std::int64_t width, std::int64_t block_size);

// ((rho, Lam(L, L0))), rho >= 1, 1 <= L0 < L (ATT-d2_int), and its log_3 at any size (ATT-d2_log3).
Integer d2_attained(std::int64_t depth, std::int64_t first_layers, std::int64_t rank);
Ball d2_attained_log3(std::int64_t depth, std::int64_t first_layers, std::int64_t rank, int bits);

// One way to use the theorems: how many layers make g, and the rank that is proved for it.
struct Collapse {
    std::int64_t first_layers = 0, rank = 0;
    char form = 'a';  // 'a': one head; 'b', 'c': the two theorems for heads
};

// A network as the theorems see it: `side` positions on the smaller side, H d_a >= width.
struct CollapseShape {
    std::int64_t depth = 2, width = 2, side = 2, heads = 1, head_dim = 2;
};

// Every choice that can be the best one, smallest L0 first: more layers help only while rho grows.
std::vector<Collapse> collapses(const CollapseShape& shape);
// The largest of them by certified comparison; depth >= 2, side >= 2 (ATT-d2_best_L0, ATT-d2_best_log3).
Collapse best_collapse(const CollapseShape& shape);

namespace fast {

// log_3 of ((rho, Lam(L, L0))) in double precision.
double d2_attained_log3(std::int64_t depth, std::int64_t first_layers, double rank);

}  // namespace fast

}  // namespace plimsoll::theory

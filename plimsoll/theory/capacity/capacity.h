#pragma once

#include <cstdint>

#include "plimsoll/theory/capacity/hilbert.h"

// The repaired bounds: what separation rank really allows. Derivations: docs/bounds/capacity-*.md.
namespace plimsoll::theory {

// S(n; w) = min over tau of ((n+1, tau-1)) + w ((n+1, C-tau)): C Gram factors, n free entries, w output
// functions (CAP-S_bound_int). With n = d(d+1)/2 and w = d it is the repaired bound for N >= 2d.
Integer staircase_bound(const Integer& gram_factors, const Integer& entries, const Integer& outputs);
// Its log_3 at any size, relative error about 2^-bits.
Ball staircase_log3(const Integer& gram_factors, const Integer& entries, const Integer& outputs, int bits);

// The degrees below `tau` are paid for by side B in that minimum: the exact tau for numbers that can be
// written out.
Integer staircase_cut(const Integer& gram_factors, const Integer& entries, const Integer& outputs);

// The repaired bound for N >= 2d, exactly (CAP-bound_full_int) and as log_3 (CAP-kappa_full).
Integer full_bound(std::int64_t depth, std::int64_t width);
Ball full_bound_log3(std::int64_t depth, const Integer& width, int bits);

// The repaired bound for |A| positions beside the output's own side and |B| on the other, with d h on side A
// (FIX-T4).
Integer fix_t4(std::int64_t depth, std::int64_t width, std::int64_t side_a, std::int64_t side_b);
// The same with the vector covariants on side A, never larger (CAP-bound_int).
Integer split_bound(std::int64_t depth, std::int64_t width, std::int64_t side_a, std::int64_t side_b);
// The largest of it over the balanced splits of N positions: for odd N the output lies on either side.
Integer balanced_bound(std::int64_t depth, std::int64_t width, std::int64_t context);

// What H heads of size d_a leave of the Gram matrix in layer 1 (CAPACITY section 3).
struct HeadShape {
    std::int64_t width = 1, heads = 1, head_dim = 1;
    // m_1: dimension of the span of the first layer's linear forms.
    [[nodiscard]] Integer first_layer_forms() const;
    // w = min(d, H d_a).
    [[nodiscard]] std::int64_t read_width() const;
    // D' = min(D, m_1 + w (w + 1) / 2).
    [[nodiscard]] Integer seen_entries() const;
};

// The bound of the heads theorem, valid for every N (CAP-heads_bound_int).
Integer heads_bound(std::int64_t depth, const HeadShape& shape);
// A certified upper bound of its log_3 at any size (heads_scale.cpp).
Ball heads_bound_log3(std::int64_t depth, const HeadShape& shape, int bits);
// Layers of depth that H heads of size d / H cost in the deep limit (CAP-heads_layers_lost_limit).
Ball heads_layers_lost(const Integer& heads, int bits);

// Free entries of the Gram matrix with embedding rank r and `outside` positional directions (continuous
// tokens), when each side holds `positions` of them.
Integer embedded_entries(std::int64_t rank, std::int64_t outside, std::int64_t positions);
// S over them: width-r bound when outside is 0, S(r(r+1)/2 + r e; r + 1) otherwise (CAP-pos_bound_int).
Integer positional_bound(std::int64_t depth, std::int64_t rank, std::int64_t outside);
// Free entries with V discrete tokens: min(r(r+1)/2 + r e, V - 1 + min(r r_e - binom(t, 2), (V - 1) r_e)), e
// = r_e - t.
Integer token_entries(std::int64_t vocab, std::int64_t rank, std::int64_t position_rank, std::int64_t shared);
// floor(N/2) log_3 V: no function of N tokens has more, for any split (CAP-string_cap_log3).
Ball string_cap_log3(const Integer& context, const Integer& vocab, int bits);

// Square mixers, n x m entries, depth p, split by rows (n even) or by columns (m even) (CAP-mixer_rows_int,
// CAP-mixer_cols_int).
Integer mixer_rows_bound(std::int64_t rows, std::int64_t cols, std::int64_t depth);
Integer mixer_cols_bound(std::int64_t rows, std::int64_t cols, std::int64_t depth);
Ball mixer_rows_log3(std::int64_t rows, std::int64_t cols, std::int64_t depth, int bits);
Ball mixer_cols_log3(std::int64_t rows, std::int64_t cols, std::int64_t depth, int bits);
// log_2(nm / e), where the doubling per layer ends.
Ball mixer_knee(const Integer& rows, const Integer& cols, int bits);

// T(d, N), the depth at which a layer doubles capacity (CAP-T_knee): log_3(4 delta / e) - log_3(deg)
// / delta.
Ball knee_depth(const RankVariety& variety, int bits);

// Degree-14 forms on the rank-one points that L = 3, H = 1 misses in piece 7 (CAP-defect_L3_j7_rank1_points).
Integer defect_rank_one(std::int64_t width);

}  // namespace plimsoll::theory

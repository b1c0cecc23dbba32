#pragma once

#include <string>

#include "plimsoll/base/result.h"
#include "plimsoll/theory/numbers/ball.h"

// Levine et al. 2020: the bounds on the separation rank of linear self-attention. Statements and status:
// docs/bounds/levine-*.md.
namespace plimsoll::theory {

// The analysed network in the letters of the theorems: depth L, width d_x, heads H.
struct AttentionShape {
    std::int64_t depth = 1;
    Integer width = 1;
    Integer heads = 1;
};

// "efficient" for 3^L < d_x, "inefficient" for 3^L > d_x, "boundary" when equal (LEVINE-REGIME).
std::string depth_regime(std::int64_t depth, const Integer& width);
// log_3 d_x, where the published theorems change (LEVINE-TH).
Ball published_threshold(const Integer& width, int bits);

// Upper bound (d_x + H)^C(L), valid for every depth (LEVINE-T3), and its log_3 (LEVINE-T1-UPPER).
Integer t3_upper(const AttentionShape& shape);
Ball t3_upper_log3(const AttentionShape& shape, int bits);

// Printed upper bound of Theorem 4, false for deep networks with N >= 2 d_x (LEVINE-T4, erratum E1), and its
// log_3.
Rational t4_upper(std::int64_t depth, const Integer& width);
Ball t4_upper_log3(std::int64_t depth, const Integer& width, int bits);
// Its closed form for 3^L > d_x, which inherits the erratum (LEVINE-T2-UPPER).
Ball t2_upper_log3(std::int64_t depth, const Integer& width, int bits);

// Lower bound ((n, 3^(L-2))), n = (d_x - H) / 2 an integer, L >= 2 (LEVINE-MS-LOWER).
Integer ms_lower(const AttentionShape& shape);
// Its log_3, for half-integer n through Gamma; needs d_x > H and L >= 2.
Ball ms_lower_log3(const AttentionShape& shape, int bits);
// What the construction gives for every head size: n = H floor((d_a - 1) / 2) (LEVINE-MS-CONSTRUCT).
Integer ms_lower_construct(std::int64_t depth, const Integer& heads, const Integer& head_dim);
Ball ms_lower_construct_log3(std::int64_t depth, const Integer& heads, const Integer& head_dim, int bits);
// Lower bounds between the multiset and the closed forms (LEVINE-MID-K; LEVINE-MID-N, integer n >= 2).
Ball mid_k_log3(const AttentionShape& shape, int bits);
Ball mid_n_log3(const AttentionShape& shape, int bits);
// Lower bound of Theorem 1, d_x > H (LEVINE-T1-LOWER), and its exact form (n / lambda)^lambda, L >= 2.
Ball t1_lower_log3(const AttentionShape& shape, int bits);
Rational t1_lower_exact(const AttentionShape& shape);
// Lower bound of Theorem 2, d_x > H; may be negative, then it says nothing (LEVINE-T2-LOWER).
Ball t2_lower_log3(const AttentionShape& shape, int bits);

// Right side of Lemma 2: prod_{t<n} (M/k + t)^k / ((n-1)!)^k (LEVINE-L2).
Rational lemma2_right_side(std::int64_t n, std::int64_t k, const Integer& total);
// Right side of Lemma 3, (2 e (n + k) / n)^n, as log_3 (LEVINE-L3).
Ball lemma3_right_side_log3(const Integer& n, const Integer& k, int bits);
// The larger of the two lower bounds of ((n, k)), n >= 2 and k >= 1, as log_3 (LEVINE-MSMAX).
Ball multiset_lower_log3(const Integer& n, const Integer& k, int bits);

// Which lower bound of the deep network Corollary 1 is read with.
enum class DeepLower { eq6, midk, ms };

// Width that a network of depth `shallow_depth` needs to match the deep one (LEVINE-COR1).
Ball corollary1_min_width(const AttentionShape& deep, std::int64_t shallow_depth, DeepLower which, int bits);
// beta_1 = log_3 d / L (LEVINE-COR2-BETA1).
Ball corollary2_beta1(std::int64_t depth, const Integer& width, int bits);
// Least b >= 0 for which depth log_3 d + b and width 3^b d beats the deep network's printed upper bound
// (LEVINE-COR2-BETA2).
Ball corollary2_beta2(const AttentionShape& deep, int bits);

// Real depth L with 12 L 9^L = size (LEVINE-TAB1-REAL); rounded to nearest, and up.
Ball table1_depth(const Integer& size, int bits);
Integer table1_depth_round(const Integer& size);
Integer table1_depth_ceil(const Integer& size);

// What T4's grouping step would imply, sum_{E<=C} ((d_x, 2E)) (ERR-GROUPING).
Integer grouping_implied(std::int64_t depth, std::int64_t width);

// The root in [low, high] of a function that is negative before it and positive after it, bracketed to `bits`
// bits.
Ball bracketed_root(const std::function<Ball(const Ball&)>& rising, const Rational& low, const Rational& high,
                    int bits);

}  // namespace plimsoll::theory

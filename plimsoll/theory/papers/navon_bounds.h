#pragma once

#include <optional>

#include "plimsoll/theory/numbers/ball.h"

// Navon & Bronstein 2022: separation rank of square mixers against attention. Pages: docs/bounds/navon-*.md.
namespace plimsoll::theory {

// A network on n x m inputs with depth p and H heads (1 is the strongest reading for a mixer, erratum E43).
struct NavonShape {
    std::int64_t depth = 1;
    Integer m = 1;
    Integer n = 1;
    Integer heads = 1;
};

// sep of the entrywise square: binom(k + 1, 2) (NAVON-L5.2iv).
Integer navon_square(const Integer& k);
// One layer on a function of separation rank k: n^2 k^2 + k (NAVON-L5.4), and the tighter binom(nk + 1, 2) +
// k.
Integer navon_layer(const Integer& k, const Integer& n);
Integer navon_layer_binomial(const Integer& k, const Integer& n);
// `depth` layers from k = 2, all with n (NAVON-RECURSION) or rows and columns in turn (NAVON-RECURSION-ALT).
Integer navon_recursion(std::int64_t depth, const Integer& n);
Integer navon_recursion_alternating(std::int64_t depth, const Integer& n, const Integer& m);
// Mixer upper bound (2 H m^2 n^2)^(2^p) (NAVON-T5.5) and attention upper bound with 3^p (NAVON-T5.6).
Integer navon_t55(const NavonShape& shape);
Ball navon_t55_log3(const NavonShape& shape, int bits);
Integer navon_t56(const NavonShape& shape);
Ball navon_t56_log3(const NavonShape& shape, int bits);
// Attention lower bound 3^(p-2) (log_3(m-H) - p + 2 - log_3 2), m > H (NAVON-T5.7).
Ball navon_t57_log3(const NavonShape& shape, int bits);
// Lower bound of attention over upper bound of the mixer, both as log_3 (NAVON-C5.8-GAP).
Ball navon_gap(const NavonShape& shape, int bits);
// First depth p < log_3 m at which the gap exceeds 1, if there is one (NAVON-C5.9-FIRSTP).
std::optional<std::int64_t> navon_first_depth(const Integer& m, const Integer& n, const Integer& heads);
// log_2 3, the depth ratio at which dominance ends (NAVON-P5.10), and the base 3 / 2^alpha
// (NAVON-P5.10-BASE).
Ball navon_alpha(int bits);
Ball navon_base(const Rational& alpha, int bits);
// p / log_2 d (NAVON-WINDOW).
Ball navon_window(std::int64_t depth, const Integer& width, int bits);

}  // namespace plimsoll::theory

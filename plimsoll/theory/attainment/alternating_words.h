#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/theory/attainment/canonical_steps.h"
#include "plimsoll/theory/numbers/ball.h"

// Theorem D3: the first L0 layers of one head of full size form words that alternate between the two sides,
// and W contains irreducible modules of GL_n whose dimensions add up (docs/bounds/att-d3.md).
namespace plimsoll::theory {

// The numbers of the theorem: n, nu, k and Lam.
struct AlternatingWord {
    std::int64_t block = 2;   // n = floor((d - 2) / 2)
    std::int64_t corner = 1;  // nu = min(floor(n / 2), k)
    Integer length = 3;       // k = (3^L0 - 3) / 2
    Integer power = 1;        // Lam(L, L0)
};

// Is there such a word? d >= 6, 2 <= L0 < L and d at most a million.
bool has_alternating_word(std::int64_t depth, std::int64_t first_layers, std::int64_t width);
// The numbers for a shape that has one.
AlternatingWord alternating_word(std::int64_t depth, std::int64_t first_layers, std::int64_t width);

// dim V_[lambda(q)] of GL_n: lambda has the parts of {k q_r + r} in order, less 0, 1, .., nu - 1.
Integer module_dimension(const AlternatingWord& word, const std::vector<Integer>& exponents);

// The sum of the dimensions over all q with sum Lam: ((nu, Lam)) of them (ATT-d3_sum_int).
Integer d3_sum(const AlternatingWord& word);
// The dimension for the canonical q (ATT-d3_canon_int).
Integer d3_canonical(const AlternatingWord& word);
// Its log_3 with O(nu) logarithms (ATT-d3_canon_log3).
Ball d3_canonical_log3(const AlternatingWord& word, int bits);

namespace fast {

// The same in double precision; Lam below 3^600.
double d3_canonical_log3(const AlternatingWord& word);

}  // namespace fast

}  // namespace plimsoll::theory

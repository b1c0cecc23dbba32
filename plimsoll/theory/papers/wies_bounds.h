#pragma once

#include <string_view>
#include <vector>

#include "plimsoll/theory/numbers/ball.h"

// Wies et al. 2021: how vocabulary, embedding rank and head size bound the separation rank. Pages:
// docs/bounds/wies-*.md.
namespace plimsoll::theory {

// Upper bound ((r+r_e, 3^L)) ((4, 3^L)) (3^L+1)^(r+r_e), printed in Theorems 3 and 4; inherits erratum E1
// (WIES-T3, WIES-T4).
Integer wies_t3(std::int64_t depth, std::int64_t rank, std::int64_t position_rank);
Ball wies_t3_log3(std::int64_t depth, const Integer& rank, const Integer& position_rank, int bits);
// The tighter last line of its proof, with (3^L/r + 1)^r (3^L/r_e + 1)^r_e (WIES-T3-TIGHT).
Rational wies_t3_tight(std::int64_t depth, std::int64_t rank, std::int64_t position_rank);
Ball wies_t3_tight_log3(std::int64_t depth, const Integer& rank, const Integer& position_rank, int bits);
// Closed form of Theorem 1 (WIES-T1-CLOSED), as log_3.
Ball wies_t1_closed_log3(std::int64_t depth, const Integer& rank, const Integer& position_rank, int bits);

// Lower bound (((r-H)/2, 3^(L-2))), r - H even, L >= 2 (WIES-LOWER-CONV).
Integer wies_lower_conv(std::int64_t depth, const Integer& rank, const Integer& heads);
Ball wies_lower_conv_log3(std::int64_t depth, const Integer& rank, const Integer& heads, int bits);
// Lower bound ((floor((r-1-H)/2), 3^(L-2))) for long inputs over a vocabulary (WIES-LOWER-VOCAB).
Integer wies_lower_vocab(std::int64_t depth, const Integer& rank, const Integer& heads);
Ball wies_lower_vocab_log3(std::int64_t depth, const Integer& rank, const Integer& heads, int bits);

// Leading term L (min(r, d_x) - H) of the lower order of Theorem 2, in the units of log_3 (WIES-T2).
Integer wies_t2_order(std::int64_t depth, const Integer& rank, const Integer& width, const Integer& heads);
// Conjectured context N = r L / log_3 r (WIES-CONJ-N).
Ball wies_conjectured_context(const Integer& rank, std::int64_t depth, int bits);
// ((n+k-1)/(n-1))^(n-1), the lower bound Lemma 4 means, n >= 2 (WIES-L4-TRUE), and the inverted one it prints
// (WIES-L4).
Ball wies_lemma4_true_log3(const Integer& n, const Integer& k, int bits);
Ball wies_lemma4_printed_log3(const Integer& n, const Integer& k, int bits);

// Learning rate at `step` of the recipe: warm-up over 12000 steps to 1.6e-3, cosine to 0 at 1000000
// (WIES-LR).
Ball wies_learning_rate(const Integer& step, int bits);

// One row of Tables 1-5 of the paper as printed: what was varied and what came out.
struct WiesTableRow {
    std::string_view id;       // WIES-TAB1 ... WIES-TAB5
    std::string_view setting;  // "V=257 L=24"
    std::string_view value;    // widths, perplexity or standard deviation
};

// Every row of Tables 1-5.
const std::vector<WiesTableRow>& wies_tables();

}  // namespace plimsoll::theory

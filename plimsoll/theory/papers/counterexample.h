#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "plimsoll/theory/numbers/integer.h"

namespace plimsoll::theory {

// The monomial network of erratum E1: width = heads = d, head h of layer l reads G_{st} with s = h + a_l, t =
// h + b_l (mod d).
struct MonomialNetwork {
    std::int64_t width = 1;
    std::vector<std::pair<std::int64_t, std::int64_t>> shifts;  // (a, b) per layer
};

// Its exact separation rank for N >= 2d, prod (k_st + 1) over the exponents of the Gram entries in output
// `coordinate`.
Integer monomial_separation_rank(const MonomialNetwork& network, std::int64_t coordinate);

}  // namespace plimsoll::theory

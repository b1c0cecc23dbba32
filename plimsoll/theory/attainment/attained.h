#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plimsoll/theory/numbers/ball.h"

// What is proved about the separation rank of the analysed attention network from below: the best of theorems
// D1, D2, D2-H and D3, also on one head that several heads imitate (docs/bounds/att-transfers.md).
namespace plimsoll::theory {

// A network of the analysed family; all numbers at least 1, widths and ranks to a million.
struct AttainedShape {
    std::int64_t depth = 1, width = 1, heads = 1, head_dim = 1, context = 2;
    std::int64_t rank = 1;  // of the embedding; = width without one
};

// A proved lower bound and where it comes from.
struct Attained {
    Ball log3;
    std::string id;     // "ATT-D2"
    std::string route;  // "L0 = 6, rho = 294476"
};

// The largest proved lower bound on log_3 of the separation rank of almost every network of this shape,
// balanced split, continuous tokens, with or without learned positions. None for depth 1, one position, or H
// d_a or a rank below 2, where nothing is proved.
std::optional<Attained> attained_log3(const AttainedShape& shape, int bits);

namespace fast {

// The same in double precision, for scans; 0 where there is none.
double attained_log3(const AttainedShape& shape);

}  // namespace fast

}  // namespace plimsoll::theory

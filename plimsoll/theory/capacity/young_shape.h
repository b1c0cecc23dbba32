#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/theory/numbers/ball.h"

namespace plimsoll::theory {

// A Young diagram in blocks of equal rows: block b covers rows [start_b, start_{b+1}) and each of its rows
// has height_b boxes.
struct BlockDiagram {
    std::vector<std::int64_t> starts;   // first row of each block, then the number of rows in use
    std::vector<std::int64_t> heights;  // nonincreasing, one per block

    // Boxes in all.
    [[nodiscard]] Integer size() const;
};

// A diagram of at most `boxes` boxes in at most `rows` rows for which dim S_{2 lambda}(C^d) is near its
// largest.
BlockDiagram large_diagram(std::int64_t d, std::int64_t rows, double boxes);

// ln dim S_{2 lambda}(C^d), certified, for a diagram with fewer than d rows.
Ball log_schur_dimension(const BlockDiagram& diagram, std::int64_t d, int bits);

}  // namespace plimsoll::theory

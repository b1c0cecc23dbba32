#pragma once

#include <cstddef>

namespace plimsoll::audit {

// Smallest, mean and largest of a number that each head has.
struct OverHeads {
    double least = 0, mean = 0, most = 0;
};

// The heads of one layer, each as a product of rank at most head_dim.
struct HeadRanks {
    std::size_t heads = 0;
    std::size_t largest_possible = 0;  // head_dim
    OverHeads numerical, stable, effective;
};

}  // namespace plimsoll::audit

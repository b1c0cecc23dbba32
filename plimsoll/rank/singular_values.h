#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/base/matrix_view.h"

namespace plimsoll::rank {

// The singular values of a matrix (largest first) and what is read off them.
struct Spectrum {
    std::vector<double> values;
    double tolerance = 0;             // values at or below it count as zero
    std::int64_t numerical_rank = 0;  // values above the tolerance
    double stable_rank = 0;           // |A|_F^2 / |A|_2^2
    double effective_rank = 0;        // exp of the entropy of the squared values (Roy & Vetterli 2007)
};

}  // namespace plimsoll::rank

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/model/network.h"

namespace plimsoll::probe {

// A matrix as the network multiplies with it: masked, dense, with its prefactor.
struct WeightMatrix {
    std::string name;
    torch::Tensor values;     // (stack, rows, cols) double on the CPU
    std::int64_t copies = 1;  // the layer is I (x) W with this number of copies
    double density = 1;       // share of the entries that exist
};

// The matrices and tables of a network whose name has `only` in it, in its order; biases, norms and matrices
// of one row or column are no matrices. `init` is the resolved name of its initialisation.
std::vector<WeightMatrix> weight_matrices(const model::Network& network, const std::string& init,
                                          const std::string& only);

}  // namespace plimsoll::probe

#pragma once

#include "plimsoll/base/progress.h"
#include "plimsoll/model/network.h"
#include "plimsoll/rank/constructions/random_network.h"
#include "plimsoll/rank/dense_matrix.h"

namespace plimsoll::probe {

// The templates of both sides and what is read off the network.
struct Grid {
    model::Input rows, cols;  // whole examples; the part on the other side is not used
    torch::Tensor mask;       // true where an example belongs to side A, the rows'
    bool by_position = false;
    rank::OutputIndex output;
};

// The chosen number of every example's output: (B).
torch::Tensor chosen_output(const torch::Tensor& output, bool by_position, rank::OutputIndex place);

// Entry (a, b): the chosen output on template a in side A and template b in side B; an error when one is not
// finite. `output_size` is how many numbers the network gives for one example.
Result<rank::DenseMatrix<double>> score_matrix(const model::Network& network, const Grid& grid,
                                               std::int64_t output_size, const ProgressCallback& progress);

}  // namespace plimsoll::probe

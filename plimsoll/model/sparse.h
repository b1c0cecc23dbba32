#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/model/layers.h"

// Products with a matrix of which only some cells are there. Rows are sorted by how many cells they have; the
// k-th cells of all rows that have k or more form a run, and one gather, one product and one sum treat a run
// for the whole batch. Time and memory follow the cells, the order of every sum is fixed (so results repeat
// on every device), and nothing of the size batch * cells is kept for the gradient.
namespace plimsoll::model {

// One direction of the product: rows are the outputs.
struct SparseRuns {
    std::vector<std::int64_t> lengths;  // of run 0, 1, ..., never growing
    Tensor sources;                     // input of each cell, run after run
    Tensor slots;                       // where each cell's value lies in the list of values
    Tensor places;                      // (outputs): the sorted row that holds output i
};

// Both directions: to the outputs, and back to the inputs for the gradient.
struct SparsePattern {
    SparseRuns there, back;
};

// The pattern of the cells (sorted, cell = output * inputs + input), on the CPU.
SparsePattern sparse_pattern(std::int64_t outputs, std::int64_t inputs,
                             const std::vector<std::int64_t>& cells);

// The same pattern on a device.
void move_to(SparsePattern& pattern, torch::Device device);

// x W^T for x (B, inputs); values[k] is the weight of cell k: (B, outputs), in the precision of the values.
// Of a stack x is (K B, inputs) and values (K, cells).
Tensor sparse_linear(const Tensor& x, const Tensor& values, const SparsePattern& pattern);

}  // namespace plimsoll::model

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "plimsoll/rank/constructions/random_network.h"

namespace plimsoll::rank {

// A term of a linear form: weight times entry (or value) `index`.
struct FormTerm {
    std::size_t index = 0;
    double weight = 0;
};
using LinearForm = std::vector<FormTerm>;

// One layer of a net of squares on a flat vector: output o is (rows[o])^2 or rows[o] of the layer's input,
// plus number skip[o] of a vector further back.
struct WideLayer {
    std::vector<LinearForm> rows;
    bool square = true;
    std::vector<std::size_t> skip;  // empty: none
    std::size_t skip_back = 1;      // 1: of the layer's own input, 2: of the input of the layer before
};

// A net of squares with all its layers written out, and its literal twin.
struct WideNet {
    std::vector<WideLayer> layers;
    std::size_t rows = 1, cols = 1;  // of the input X, and of the output
    std::vector<std::size_t> flat;   // where entry k of X, row-major, stands in the flat vector
    std::function<nets::Matrix<std::uint64_t>(const nets::Matrix<std::uint64_t>&)> literal;
};

// The part of a net that one output needs, in the form the kernels run: linear forms of the input, then
// nodes.
struct CompiledNet {
    std::vector<LinearForm> inputs;  // over the flat vector
    std::vector<SquareNode> nodes;
    std::vector<SquareTerm> terms;
};

CompiledNet compile(const WideNet& net, std::size_t output);

// The fast evaluation of a compiled net; sides hold entries of X, row-major.
std::unique_ptr<PairKernel> square_kernel(const BalancedField& field, const CompiledNet& net,
                                          const std::vector<std::size_t>& flat, const Sides& sides,
                                          std::size_t degree, const Kernels& kernels);

}  // namespace plimsoll::rank

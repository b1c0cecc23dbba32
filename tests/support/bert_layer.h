#pragma once

#include "plimsoll/nets/attention.h"

namespace plimsoll::testing {

// The layer that the analysed network stands for (LEVINE-BERT-LAYER); it is not a polynomial, so real only.
struct BertLayer {
    std::vector<nets::Head<double>> heads;  // query, key, value (d_a, d_x), output (d_x, d_a)
    nets::Matrix<double> widen;             // W1: (4 d_x, d_x)
    nets::Matrix<double> narrow;            // W2: (d_x, 4 d_x)
};

// softmax over j of <Q x_i, K x_j> / sqrt(d_a), times O V x_j, summed over j and heads
// [Levine et al. 2020, eq. 1]: X (d_x, N) to (d_x, N).
nets::Matrix<double> softmax_attention(const std::vector<nets::Head<double>>& heads,
                                       const nets::Matrix<double>& x);

// W2 ReLU(W1 LayerNorm(softmax_attention(X) + X)) [Levine et al. 2020, eq. 2]; LayerNorm without gain or
// offset, with `epsilon` added to the variance: X (d_x, N) to (d_x, N).
nets::Matrix<double> bert_layer(const BertLayer& layer, const nets::Matrix<double>& x,
                                double epsilon = 1e-12);

}  // namespace plimsoll::testing

#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/arch/attention.h"
#include "plimsoll/nets/matrix.h"
#include "plimsoll/nets/prime_field.h"

namespace plimsoll::nets {

// One head of an attention layer.
template <class T>
struct Head {
    Matrix<T> query, key, value;  // (d_a, d_x) each
    Matrix<T> output;             // (d_x, d_a)
};

// Everything that is learned in an analysed attention network.
template <class T>
struct AttentionWeights {
    std::vector<std::vector<Head<T>>> layers;  // L layers of H heads
    bool residual = false;                     // every layer adds its input
    Matrix<T> embedding;                       // M_V: (d_x, V); empty when the input is X itself
    Matrix<T> positions;                       // one column per position: (d_x, N); empty for none
};

// Random weights of `spec`: every matrix has its own stream, so that no shape disturbs another matrix. An
// embedding of rank r is a (d_x, r) times a (r, V) matrix, a positional matrix of rank r_e likewise.
template <Ring R>
AttentionWeights<typename R::Element> draw_attention(const R& ring, const arch::AttentionSpec& spec,
                                                     std::int64_t positions, std::uint64_t seed);

// The analysed attention network (LEVINE-LAYER, WIES-LAYER), evaluated literally in any ring.
template <Ring R>
class Attention {
  public:
    using Element = typename R::Element;

    Attention(R ring, AttentionWeights<Element> weights);

    [[nodiscard]] const R& ring() const { return ring_; }
    [[nodiscard]] const AttentionWeights<Element>& weights() const { return weights_; }

    // WIES-EMB-VOCAB, WIES-EMB-CONV: input (V, N), or (d_x, N) without an embedding, to M_V input + P, (d_x,
    // N). For a vocabulary the columns of `input` are one-hot, for patches they are the patches.
    [[nodiscard]] Matrix<Element> embed(const Matrix<Element>& input) const;

    // One layer in matrix form [Levine et al. 2020, eq. 9]: X (d_x, N) to sum_h O V X X^T K^T Q X, (d_x, N).
    [[nodiscard]] Matrix<Element> layer(std::size_t index, const Matrix<Element>& x) const;

    // One layer in column form [Levine et al. 2020, eq. 3]: column i becomes sum_j sum_h <Q x_i, K x_j> O V
    // x_j.
    [[nodiscard]] Matrix<Element> layer_by_columns(std::size_t index, const Matrix<Element>& x) const;

    // All layers on X (d_x, N), in matrix form.
    [[nodiscard]] Matrix<Element> forward(const Matrix<Element>& x) const;

    // All layers on X (d_x, N), in column form.
    [[nodiscard]] Matrix<Element> forward_by_columns(const Matrix<Element>& x) const;

    // LEVINE-GRAM: the (d_x, d_x) matrix P with Y = P X, from the Gram matrix G = X X^T (d_x, d_x) alone.
    [[nodiscard]] Matrix<Element> gram_transform(const Matrix<Element>& gram) const;

  private:
    R ring_;
    AttentionWeights<Element> weights_;
};

// One-hot columns: token t at position j puts a one in row t of column j; (V, N).
template <Ring R>
MatrixOver<R> one_hot(const R& ring, const std::vector<std::size_t>& tokens, std::size_t vocab);

}  // namespace plimsoll::nets

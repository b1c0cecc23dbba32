#pragma once

#include <torch/types.h>

// Softmax attention on the processor: LibTorch 1.13 without MKL has one thread for it.
namespace plimsoll::model::cpu {

struct AttentionRule {
    double scale = 1;
    bool causal = false;  // what comes later is hidden
    at::Tensor bias;      // added to the scores, broadcasts to (B, H, T, T); no gradient; undefined for none
};

// softmax(scale q k^T + bias) v for q, k (B, H, T, head_dim) and v (B, H, T, value_dim) of any strides, with
// its gradients. A pair of example and head is the work of one thread, so that any number of them gives the
// same bits. The result is laid out as (B, T, H, value_dim).
at::Tensor attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                     const AttentionRule& rule);

// The same for queries, keys and values side by side, (B, T, heads * (2 head_dim + value_dim)), as one
// projection makes them; gives (B, T, heads * value_dim).
at::Tensor joined_attention(const at::Tensor& all, std::int64_t heads, std::int64_t head_dim,
                            const AttentionRule& rule);

}  // namespace plimsoll::model::cpu

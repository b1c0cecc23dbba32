#pragma once

#include <limits>

#include <torch/types.h>
#include <torch/version.h>

// What LibTorch 1.13 and 2.x do differently; no other file asks for the version.
namespace plimsoll::model {

// softmax(q k^T / sqrt(head_dim) + bias) v for q (B, H, T, head_dim), k (B, H, T, head_dim), v (B, H, T,
// value_dim); `bias` may be undefined, `causal` hides what comes later.
inline at::Tensor softmax_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                    const at::Tensor& bias, bool causal) {
#if TORCH_VERSION_MAJOR >= 2
    using Mask = std::optional<at::Tensor>;
    return at::scaled_dot_product_attention(q, k, v, bias.defined() ? Mask(bias) : Mask(), 0.0, causal);
#else
    const double scale = 1.0 / std::sqrt(static_cast<double>(q.size(-1)));
    at::Tensor scores = at::matmul(q * scale, k.transpose(-2, -1));  // (B, H, T, T)
    if (bias.defined()) scores = scores + bias;
    if (causal) {
        const double hidden = -std::numeric_limits<double>::infinity();
        scores = scores + at::full({q.size(-2), k.size(-2)}, hidden, q.options()).triu(1);
    }
    return at::matmul(at::softmax(scores, -1), v);
#endif
}

}  // namespace plimsoll::model

#pragma once

#include <cstdlib>
#include <limits>
#include <optional>

#include <ATen/ATen.h>
#include <torch/types.h>
#include <torch/version.h>

// What LibTorch 1.13 and 2.x do differently; no other file asks for the version.
namespace plimsoll::model {

// LibTorch 1.13 takes the tile registers (AMX) for products in bfloat16 wherever the processor names them,
// and is killed by SIGILL where a virtual machine does not give them. Tells its oneDNN to do without, unless
// the user has said something; oneDNN reads that at its first product. True, so that it can be called before
// main().
inline bool without_tiles() {
#if TORCH_VERSION_MAJOR < 2
    constexpr int keep_the_users = 0;
    setenv("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16", keep_the_users);
#endif
    return true;
}

// softmax(scale q k^T + bias) v for q (B, H, T, head_dim), k (B, H, T, head_dim), v (B, H, T, value_dim);
// `bias` may be undefined, `causal` hides what comes later.
inline at::Tensor softmax_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                    double scale, const at::Tensor& bias, bool causal) {
#if TORCH_VERSION_MAJOR >= 2
    using Mask = std::optional<at::Tensor>;
    return at::scaled_dot_product_attention(q, k, v, bias.defined() ? Mask(bias) : Mask(), 0.0, causal,
                                            scale);
#else
    const auto stacked = [](const at::Tensor& x) { return x.reshape({-1, x.size(2), x.size(3)}); };
    at::Tensor scores;  // (B * H, T, T)
    if (causal) {       // the sum with the mask comes with the product
        const double hidden = -std::numeric_limits<double>::infinity();
        const at::Tensor mask = at::full({q.size(2), k.size(2)}, hidden, q.options()).triu(1);
        scores = at::baddbmm(mask, stacked(q), stacked(k).transpose(1, 2), 1, scale);
    } else {
        scores = at::bmm(stacked(q) * scale, stacked(k).transpose(1, 2));
    }
    if (bias.defined()) scores = (scores.view({q.size(0), q.size(1), q.size(2), -1}) + bias).flatten(0, 1);
    return at::bmm(at::softmax(scores, -1), stacked(v)).view({q.size(0), q.size(1), q.size(2), -1});
#endif
}

}  // namespace plimsoll::model

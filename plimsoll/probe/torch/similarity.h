#pragma once

#include <torch/types.h>

namespace plimsoll::probe {

// X X^T of (examples, ...), every example's numbers as one vector: (examples, examples). X is centred and
// scaled so that its largest entry is 1 and nothing overflows, which CKA does not see.
torch::Tensor gram_of(const torch::Tensor& activations);

// The Hilbert-Schmidt independence criterion of two Gram matrices, up to a factor that CKA loses: <H K H, H L
// H> with H = I - 11^T / n, or the estimate without bias of Song et al. 2012 (needs 4 examples).
double hsic(const torch::Tensor& first, const torch::Tensor& second, bool unbiased);

// hsic(K, L) / sqrt(hsic(K, K) hsic(L, L)); 0 when one side does not vary.
double cka(const torch::Tensor& first, const torch::Tensor& second, bool unbiased);

}  // namespace plimsoll::probe

#pragma once

#include <torch/types.h>

namespace plimsoll::model::cuda {

// x (K, rows, in) by weight (K, out, in) plus bias (K, out): (K, rows, out) by one call of cuBLASLt, which
// adds the bias as it writes; LibTorch's baddbmm() writes it first and reads it again. Numbers as taken() has
// them.
at::Tensor biased_products(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

}  // namespace plimsoll::model::cuda

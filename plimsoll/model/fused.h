#pragma once

#include <torch/types.h>

// Operations for which a GPU has kernels of ours: LibTorch reduces over many short rows slowly, and narrow
// deep networks are made of short rows. cuda/ has them, no_cuda/ is LibTorch alone; numbers agree up to
// rounding.
namespace plimsoll::model {

// Layer norm over the last dimension; weight (width), bias (width) or undefined; of a stack both (K, width).
at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, double epsilon);

// x weight^T + bias for x (..., in) and weight (out, in); the bias (out) may be undefined. Of a stack weight
// is (K, out, in), bias (K, out) and x (K B, ..., in).
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

}  // namespace plimsoll::model

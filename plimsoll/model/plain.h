#pragma once

#include <torch/types.h>

// The operations of fused.h by LibTorch and, on the processor, by ours in cpu/: what there is without kernels
// for the device, or for numbers that those do not take. Contracts as there.
namespace plimsoll::model::plain {

at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, double epsilon);
at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon);
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);
at::Tensor cross_entropies(const at::Tensor& logits, const at::Tensor& targets, std::int64_t ignored);

}  // namespace plimsoll::model::plain

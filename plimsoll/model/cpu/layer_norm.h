#pragma once

#include <torch/types.h>

namespace plimsoll::model::cpu {

// Layer norm over the last dimension, float or double, with its gradients; weight (width), bias (width) or
// undefined; for the K runs of a stack both (K, width), and x (K B, ...). Any number of threads gives the
// same bits.
at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, double epsilon);

}  // namespace plimsoll::model::cpu

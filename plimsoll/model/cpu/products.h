#pragma once

#include <torch/types.h>

// Products of matrices on the processor. OpenBLAS reaches the rate of large products on one thread, not on
// several, unless the matrices are large: here a product is cut into pieces, each by one thread.
namespace plimsoll::model::cpu {

// True where ours is the quicker way: numbers on the processor in float or double, and a LibTorch without
// MKL, which has threads of its own for all this.
bool ours(const at::Tensor& x);

// out = a b, or a b + bias, for matrices of any strides; the pieces depend on the shape alone, so that any
// number of threads gives the same bits.
void product(const at::Tensor& out, const at::Tensor& a, const at::Tensor& b, const at::Tensor& bias = {});

// out[k] = a[k] b[k], or a[k] b[k] + bias[k], for K matrices of any strides and bias (K, n); the same bits
// for any number of threads.
void products(const at::Tensor& out, const at::Tensor& a, const at::Tensor& b, const at::Tensor& bias = {});

// x weight^T + bias for x (..., in) and weight (out, in), with its gradients; the bias may be undefined.
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

}  // namespace plimsoll::model::cpu

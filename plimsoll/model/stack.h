#pragma once

#include <cstdint>
#include <vector>

#include <torch/types.h>

// Several runs of one shape as one network: a parameter of shape (s) becomes (K, s) for K runs, and the
// batches of the runs follow one another, (K B, ...). With K = 1 parameters keep their shape (s), and every
// function here is then the plain operation, with its bits.
namespace plimsoll::model {

// x (K B, ...) as (K, B, ...).
at::Tensor by_run(const at::Tensor& x, std::int64_t runs);

// x (B, ...) + term (...), the same for every example; or x (K B, ...) + term (K, ...), each run its own.
at::Tensor plus(const at::Tensor& x, const at::Tensor& term);

// x (..., n) times factor (n), or x (K B, ..., n) times factor (K, n).
at::Tensor scaled(const at::Tensor& x, const at::Tensor& factor);

// Rows of table (V, n) by ids (B, T), or of table (K, V, n) by ids (K B, T): (K B, T, n).
at::Tensor embed(const at::Tensor& table, const at::Tensor& ids);

// term (m, n) for each of `examples` examples, or term (K, m, n) for each of K B: (examples, m, n).
at::Tensor for_each_example(const at::Tensor& term, std::int64_t examples);

// x (..., in) by weight (out, in) plus bias (out) as LibTorch's linear(), or x (K B, ..., in) by weight
// (K, out, in) plus bias (K, out); the bias may be undefined.
at::Tensor plain_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias = {});

// x (K B, ..., in) by weight (K, out, in) plus bias (K, out) or undefined: products of K matrices at once.
at::Tensor stacked_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

// Layer norm over the last dimension of x (K B, ..., n) with weight (K, n), and bias (K, n) or undefined.
at::Tensor stacked_layer_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                              double epsilon);

// left (B or 1, ...) by right (B or 1, ...), products of matrices of which one side, or none, is a parameter:
// with K runs that side is (K, m, n) and the other (K B, m, n).
at::Tensor weight_times(const at::Tensor& weight, const at::Tensor& x);
at::Tensor times_weight(const at::Tensor& x, const at::Tensor& weight);

}  // namespace plimsoll::model

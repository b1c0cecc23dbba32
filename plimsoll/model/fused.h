#pragma once

#include <torch/types.h>

#include "plimsoll/arch/parts.h"

// Operations for which a GPU has kernels of ours (plimsoll/kernels): LibTorch reduces over many short rows
// slowly and writes what one pass need not write, and narrow deep networks are made of short rows. cuda/ has
// them, no_cuda/ is LibTorch alone; numbers agree up to rounding. Of a stack of K runs weights are (K, ...)
// and examples (K B, ...).
namespace plimsoll::model {

// Layer norm over the last dimension; weight (width), bias (width) or undefined; of a stack both (K, width).
at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, double epsilon);

// x / sqrt(mean square over the last dimension + epsilon) * weight (width), of a stack (K, width).
at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon);

// x weight^T + bias for x (..., in) and weight (out, in); the bias (out) may be undefined. Of a stack weight
// is (K, out, in), bias (K, out) and x (K B, ..., in).
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

// The sums over the rows of x (K, rows, n): (K, n).
at::Tensor sums_of_rows(const at::Tensor& x);

// x (B, m, n) as (B, n, m): a view, or on a GPU a copy that is made tile by tile.
at::Tensor transposed(const at::Tensor& x);
// base (B, n, m) + factor * transposed(x).
at::Tensor plus_transposed(const at::Tensor& base, const at::Tensor& x, double factor);

// x (K, rows, in) by weight (K, out, in) plus bias (K, out).
at::Tensor products_with_bias(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

// Whether gate and up-projection are best taken by one product and gated() here.
bool joins_gate(const at::Tensor& x, arch::Activation activation, std::int64_t hidden);

// activation(a) * b for both = (a, b) (..., 2 hidden); where joins_gate().
at::Tensor gated(arch::Activation activation, const at::Tensor& both);

// What happens to queries or keys by head.
struct HeadForm {
    std::int64_t heads = 1;
    at::Tensor norm;  // weight of an RMS norm over a head, (head_dim) or (K, head_dim); undefined: none
    double epsilon = 0;
    at::Tensor angles;  // (2, positions, head_dim / 2), cosines and sines; undefined: no rotation
};

// Whether form_heads() takes x (B, T, heads * head_dim).
bool forms_heads(const at::Tensor& x, const HeadForm& form);

// x (B, T, heads * head_dim) to (B, heads, T, head_dim), normed and rotated; where forms_heads().
at::Tensor form_heads(const at::Tensor& x, const HeadForm& form);

// The cross-entropy of each row of logits (rows, classes) with its target; 0 where that is `ignored`.
at::Tensor cross_entropies(const at::Tensor& logits, const at::Tensor& targets, std::int64_t ignored);

}  // namespace plimsoll::model

#pragma once

#include <cstdint>

// Loops over rows in memory on one thread, float or double, that LibTorch does in several passes or on one
// thread. Sums have a fixed order, so that numbers do not depend on who computes which row.
namespace plimsoll::model::cpu {

// scores[j] becomes the softmax of scale * scores[j] + bias[j] over j < seen, and 0 for seen <= j < length;
// bias may be null. Not a number when every entry is minus infinity.
template <class Number>
void softmax_row(Number* scores, const Number* bias, Number scale, std::int64_t seen, std::int64_t length);

// The gradient by the scores of softmax_row(): slopes[j], the gradient by its outputs, becomes
// scale * outputs[j] (slopes[j] - sum_k outputs[k] slopes[k]).
template <class Number>
void softmax_row_backward(const Number* outputs, Number* slopes, Number scale, std::int64_t length);

// y = x Phi(x) with the normal law's Phi.
template <class Number>
void gelu_forward(const Number* x, Number* y, std::int64_t count);

// by_x = by_y (Phi(x) + x phi(x)); by_x may be by_y.
template <class Number>
void gelu_backward(const Number* x, const Number* by_y, Number* by_x, std::int64_t count);

// (x - mean) / sqrt(variance + epsilon) * weight + bias for every row of `width` numbers; bias may be null.
// The means and the roots' inverses are kept in mean[row] and scale[row].
template <class Number>
struct NormRows {
    std::int64_t rows, width;
    const Number* weight;

    void forward(const Number* x, const Number* bias, Number epsilon, Number* y, Number* mean,
                 Number* scale) const;
    // Writes the gradient by x, adds those by weight and bias to what is there.
    void backward(const Number* by_y, const Number* x, const Number* mean, const Number* scale, Number* by_x,
                  Number* by_weight, Number* by_bias) const;
};

template <class Number>
Number sum_of_squares(const Number* x, std::int64_t count);

// One AdamW update [Loshchilov and Hutter 2019, algorithm 2] of `count` numbers in one pass. The gradient is
// multiplied with `gradient_scale` first, values with `decay`; `rate` and `root_scale` hold the corrections
// of both averages.
template <class Number>
struct AdamWStep {
    Number gradient_scale, decay, beta1, beta2, rate, root_scale, eps;
    void operator()(const Number* gradient, Number* first, Number* second, Number* values,
                    std::int64_t count) const;
};

}  // namespace plimsoll::model::cpu

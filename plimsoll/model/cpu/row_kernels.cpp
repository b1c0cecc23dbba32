#include "plimsoll/model/cpu/row_kernels.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "plimsoll/model/cpu/normal_law.h"
#include "plimsoll/model/cpu/vector_clones.h"

namespace plimsoll::model::cpu {
namespace {

// Sums and maxima are kept in `lanes` places, entry j in place j mod lanes: vectors in a fixed order.
constexpr int lanes = 16;

template <class Number>
PLIMSOLL_ALWAYS_INLINE Number sum_of(const Number (&parts)[lanes]) {
    Number sums[lanes];
    for (int l = 0; l < lanes; ++l) sums[l] = parts[l];
    for (int half = lanes / 2; half > 0; half /= 2)
        for (int l = 0; l < half; ++l) sums[l] += sums[l + half];
    return sums[0];
}

// sum_j term(j) over j < count.
template <class Number, class Term>
PLIMSOLL_ALWAYS_INLINE Number sum_in_lanes(std::int64_t count, const Term& term) {
    Number parts[lanes] = {};
    std::int64_t j = 0;
    for (; j + lanes <= count; j += lanes)
        for (int l = 0; l < lanes; ++l) parts[l] += term(j + l);
    for (int l = 0; j < count; ++j, ++l) parts[l] += term(j);
    return sum_of(parts);
}

template <class Number>
PLIMSOLL_ALWAYS_INLINE Number largest(const Number* x, std::int64_t count) {
    Number parts[lanes];
    for (Number& part : parts) part = -std::numeric_limits<Number>::infinity();
    std::int64_t j = 0;
    for (; j + lanes <= count; j += lanes)
        for (int l = 0; l < lanes; ++l) parts[l] = x[j + l] > parts[l] ? x[j + l] : parts[l];
    for (; j < count; ++j) parts[0] = x[j] > parts[0] ? x[j] : parts[0];
    for (int half = lanes / 2; half > 0; half /= 2)
        for (int l = 0; l < half; ++l) parts[l] = parts[l + half] > parts[l] ? parts[l + half] : parts[l];
    return parts[0];
}

// x[j] becomes exp(x[j] - top); returns their sum.
template <class Number>
PLIMSOLL_ALWAYS_INLINE Number exponentials(Number* x, Number top, std::int64_t count) {
    Number parts[lanes] = {};
    std::int64_t j = 0;
    for (; j + lanes <= count; j += lanes)
        for (int l = 0; l < lanes; ++l) {
            const Number y = exp_of_nonpositive(x[j + l] - top);
            x[j + l] = y;
            parts[l] += y;
        }
    for (int l = 0; j < count; ++j, ++l) parts[l] += x[j] = exp_of_nonpositive(x[j] - top);
    return sum_of(parts);
}

template <class Number>
PLIMSOLL_ALWAYS_INLINE void softmax(Number* x, const Number* bias, Number scale, std::int64_t seen,
                                    std::int64_t length) {
    if (bias == nullptr) {
        for (std::int64_t j = 0; j < seen; ++j) x[j] *= scale;
    } else {
        for (std::int64_t j = 0; j < seen; ++j) x[j] = x[j] * scale + bias[j];
    }
    const Number share = 1 / exponentials(x, largest(x, seen), seen);
    for (std::int64_t j = 0; j < seen; ++j) x[j] *= share;
    for (std::int64_t j = seen; j < length; ++j) x[j] = 0;
}

template <class Number>
PLIMSOLL_ALWAYS_INLINE void softmax_slopes(const Number* outputs, Number* slopes, Number scale,
                                           std::int64_t length) {
    const Number mean = sum_in_lanes<Number>(length, [&](std::int64_t j) { return outputs[j] * slopes[j]; });
    for (std::int64_t j = 0; j < length; ++j) slopes[j] = scale * outputs[j] * (slopes[j] - mean);
}

template <class Number>
PLIMSOLL_ALWAYS_INLINE Number normal_share(Number x, Number bell) {
    const Number tail = normal_tail(std::abs(x), bell);
    return x < 0 ? tail : 1 - tail;
}

template <class Number>
PLIMSOLL_ALWAYS_INLINE void gelu(const Number* x, Number* y, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) y[i] = x[i] * normal_share(x[i], normal_bell(x[i]));
}

template <class Number>
PLIMSOLL_ALWAYS_INLINE void gelu_slopes(const Number* x, const Number* by_y, Number* by_x,
                                        std::int64_t count) {
    constexpr Number density = std::numbers::inv_sqrtpi_v<Number> / std::numbers::sqrt2_v<Number>;
    for (std::int64_t i = 0; i < count; ++i) {
        const Number bell = normal_bell(x[i]);
        by_x[i] = by_y[i] * (normal_share(x[i], bell) + x[i] * (density * bell));
    }
}

template <class Number>
PLIMSOLL_ALWAYS_INLINE void norm_forward(const NormRows<Number>& n, const Number* __restrict x,
                                         const Number* __restrict bias, Number epsilon, Number* __restrict y,
                                         Number* mean, Number* scale) {
    const auto width = static_cast<Number>(n.width);
    for (std::int64_t row = 0; row < n.rows; ++row, x += n.width, y += n.width) {
        const Number middle = sum_in_lanes<Number>(n.width, [&](std::int64_t j) { return x[j]; }) / width;
        const Number squares =
            sum_in_lanes<Number>(n.width, [&](std::int64_t j) { return (x[j] - middle) * (x[j] - middle); });
        const Number factor = 1 / std::sqrt(squares / width + epsilon);
        for (std::int64_t j = 0; j < n.width; ++j) y[j] = (x[j] - middle) * factor * n.weight[j];
        for (std::int64_t j = 0; bias != nullptr && j < n.width; ++j) y[j] += bias[j];
        mean[row] = middle;
        scale[row] = factor;
    }
}

// With u = (x - mean) scale and g = by_y weight: by_x = scale (g - mean of g - u * mean of g u).
template <class Number>
PLIMSOLL_ALWAYS_INLINE void norm_backward(const NormRows<Number>& n, const Number* __restrict by_y,
                                          const Number* __restrict x, const Number* mean, const Number* scale,
                                          Number* __restrict by_x, Number* __restrict by_weight,
                                          Number* __restrict by_bias) {
    const auto width = static_cast<Number>(n.width);
    for (std::int64_t row = 0; row < n.rows; ++row, by_y += n.width, x += n.width, by_x += n.width) {
        const Number middle = mean[row], factor = scale[row];
        for (std::int64_t j = 0; j < n.width; ++j) {
            const Number unit = (x[j] - middle) * factor;
            by_x[j] = by_y[j] * n.weight[j];
            by_weight[j] += by_y[j] * unit;
            by_bias[j] += by_y[j];
        }
        const Number level = sum_in_lanes<Number>(n.width, [&](std::int64_t j) { return by_x[j]; }) / width;
        const Number along =
            sum_in_lanes<Number>(n.width, [&](std::int64_t j) { return (x[j] - middle) * by_x[j]; }) *
            factor / width;
        for (std::int64_t j = 0; j < n.width; ++j)
            by_x[j] = factor * (by_x[j] - level - (x[j] - middle) * factor * along);
    }
}

template <class Number>
PLIMSOLL_ALWAYS_INLINE void adamw(const AdamWStep<Number>& step, const Number* __restrict gradient,
                                  Number* __restrict first, Number* __restrict second,
                                  Number* __restrict values, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        const Number g = gradient[i] * step.gradient_scale;
        const Number mean = step.beta1 * first[i] + (1 - step.beta1) * g;
        const Number square = step.beta2 * second[i] + (1 - step.beta2) * (g * g);
        first[i] = mean;
        second[i] = square;
        values[i] =
            values[i] * step.decay - step.rate * (mean / (std::sqrt(square) * step.root_scale + step.eps));
    }
}

}  // namespace

template <>
PLIMSOLL_VECTOR_CLONES void softmax_row(float* scores, const float* bias, float scale, std::int64_t seen,
                                        std::int64_t length) {
    softmax(scores, bias, scale, seen, length);
}
template <>
void softmax_row(double* scores, const double* bias, double scale, std::int64_t seen, std::int64_t length) {
    softmax(scores, bias, scale, seen, length);
}

template <>
PLIMSOLL_VECTOR_CLONES void softmax_row_backward(const float* outputs, float* slopes, float scale,
                                                 std::int64_t length) {
    softmax_slopes(outputs, slopes, scale, length);
}
template <>
void softmax_row_backward(const double* outputs, double* slopes, double scale, std::int64_t length) {
    softmax_slopes(outputs, slopes, scale, length);
}

template <>
PLIMSOLL_VECTOR_CLONES void gelu_forward(const float* x, float* y, std::int64_t count) {
    gelu(x, y, count);
}
template <>
void gelu_forward(const double* x, double* y, std::int64_t count) {
    gelu(x, y, count);
}

template <>
PLIMSOLL_VECTOR_CLONES void gelu_backward(const float* x, const float* by_y, float* by_x,
                                          std::int64_t count) {
    gelu_slopes(x, by_y, by_x, count);
}
template <>
void gelu_backward(const double* x, const double* by_y, double* by_x, std::int64_t count) {
    gelu_slopes(x, by_y, by_x, count);
}

template <>
PLIMSOLL_VECTOR_CLONES void NormRows<float>::forward(const float* x, const float* bias, float epsilon,
                                                     float* y, float* mean, float* scale) const {
    norm_forward(*this, x, bias, epsilon, y, mean, scale);
}
template <>
void NormRows<double>::forward(const double* x, const double* bias, double epsilon, double* y, double* mean,
                               double* scale) const {
    norm_forward(*this, x, bias, epsilon, y, mean, scale);
}

template <>
PLIMSOLL_VECTOR_CLONES void NormRows<float>::backward(const float* by_y, const float* x, const float* mean,
                                                      const float* scale, float* by_x, float* by_weight,
                                                      float* by_bias) const {
    norm_backward(*this, by_y, x, mean, scale, by_x, by_weight, by_bias);
}
template <>
void NormRows<double>::backward(const double* by_y, const double* x, const double* mean, const double* scale,
                                double* by_x, double* by_weight, double* by_bias) const {
    norm_backward(*this, by_y, x, mean, scale, by_x, by_weight, by_bias);
}

template <>
PLIMSOLL_VECTOR_CLONES float sum_of_squares(const float* x, std::int64_t count) {
    return sum_in_lanes<float>(count, [&](std::int64_t j) { return x[j] * x[j]; });
}
template <>
double sum_of_squares(const double* x, std::int64_t count) {
    return sum_in_lanes<double>(count, [&](std::int64_t j) { return x[j] * x[j]; });
}

template <>
PLIMSOLL_VECTOR_CLONES void AdamWStep<float>::operator()(const float* gradient, float* first, float* second,
                                                         float* values, std::int64_t count) const {
    adamw(*this, gradient, first, second, values, count);
}
template <>
void AdamWStep<double>::operator()(const double* gradient, double* first, double* second, double* values,
                                   std::int64_t count) const {
    adamw(*this, gradient, first, second, values, count);
}

}  // namespace plimsoll::model::cpu

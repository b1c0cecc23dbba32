#include "plimsoll/model/plain.h"

#include <ATen/ATen.h>

#include "plimsoll/model/cpu/layer_norm.h"
#include "plimsoll/model/cpu/products.h"
#include "plimsoll/model/stack.h"

namespace plimsoll::model::plain {

using at::Tensor;

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon) {
    if (weight.dim() == 2) return stacked_layer_norm(x, weight, bias, epsilon);
    if (cpu::ours(x) && x.scalar_type() == weight.scalar_type())
        return cpu::layer_norm(x, weight, bias, epsilon);
    return at::layer_norm(x, weight.sizes(), weight, bias, epsilon);
}

Tensor rms_norm(const Tensor& x, const Tensor& weight, double epsilon) {
    const Tensor mean_square = x.square().mean(-1, true);
    return scaled(x * (mean_square + epsilon).rsqrt(), weight);
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    if (weight.dim() == 3) return stacked_linear(x, weight, bias);
    if (cpu::ours(x) && x.scalar_type() == weight.scalar_type()) return cpu::linear(x, weight, bias);
    return at::linear(x, weight, bias);
}

Tensor cross_entropies(const Tensor& logits, const Tensor& targets, std::int64_t ignored) {
    const Tensor numbers = logits.scalar_type() == at::kDouble ? logits : logits.to(at::kFloat);
    return at::cross_entropy_loss(numbers, targets, {}, at::Reduction::None, ignored);
}

}  // namespace plimsoll::model::plain

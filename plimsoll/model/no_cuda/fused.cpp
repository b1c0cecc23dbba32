#include "plimsoll/model/fused.h"

#include "plimsoll/model/cpu/layer_norm.h"
#include "plimsoll/model/cpu/products.h"
#include "plimsoll/model/stack.h"

namespace plimsoll::model {

at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, double epsilon) {
    if (weight.dim() == 2) return stacked_layer_norm(x, weight, bias, epsilon);
    if (cpu::ours(x) && x.scalar_type() == weight.scalar_type())
        return cpu::layer_norm(x, weight, bias, epsilon);
    return at::layer_norm(x, weight.sizes(), weight, bias, epsilon);
}

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
    if (weight.dim() == 3) return stacked_linear(x, weight, bias);
    if (cpu::ours(x) && x.scalar_type() == weight.scalar_type()) return cpu::linear(x, weight, bias);
    return at::linear(x, weight, bias);
}

}  // namespace plimsoll::model

#include "plimsoll/model/fused.h"

#include "plimsoll/model/cpu/products.h"

namespace plimsoll::model {

at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, double epsilon) {
    return at::layer_norm(x, weight.sizes(), weight, bias, epsilon);
}

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
    return cpu::ours(x) ? cpu::linear(x, weight, bias) : at::linear(x, weight, bias);
}

}  // namespace plimsoll::model

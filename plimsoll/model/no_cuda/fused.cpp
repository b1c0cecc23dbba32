#include "plimsoll/model/fused.h"

#include <ATen/ATen.h>

#include "plimsoll/base/check.h"
#include "plimsoll/model/plain.h"

namespace plimsoll::model {

at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, double epsilon) {
    return plain::layer_norm(x, weight, bias, epsilon);
}

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
    return plain::rms_norm(x, weight, epsilon);
}

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
    return plain::linear(x, weight, bias);
}

at::Tensor sums_of_rows(const at::Tensor& x) { return x.sum(1); }

at::Tensor transposed(const at::Tensor& x) { return x.transpose(1, 2); }

at::Tensor plus_transposed(const at::Tensor& base, const at::Tensor& x, double factor) {
    return at::add(base, x.transpose(1, 2), factor);
}

at::Tensor products_with_bias(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
    return at::baddbmm(bias.unsqueeze(1), x, weight.transpose(1, 2));
}

bool joins_gate(const at::Tensor&, arch::Activation, std::int64_t) { return false; }

at::Tensor gated(arch::Activation, const at::Tensor&) {
    PLIMSOLL_CHECK(false, "no kernel for the gate");
    return {};
}

bool forms_heads(const at::Tensor&, const HeadForm&) { return false; }

at::Tensor form_heads(const at::Tensor&, const HeadForm&) {
    PLIMSOLL_CHECK(false, "no kernel for heads");
    return {};
}

at::Tensor cross_entropies(const at::Tensor& logits, const at::Tensor& targets, std::int64_t ignored) {
    return plain::cross_entropies(logits, targets, ignored);
}

}  // namespace plimsoll::model

#include "plimsoll/kernels/gated.h"

#include <optional>

#include <torch/csrc/autograd/custom_function.h>

#include "plimsoll/base/check.h"
#include "plimsoll/model/cuda/tensors.h"
#include "plimsoll/model/fused.h"

namespace plimsoll::model {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

std::optional<kernels::Gate> gate_of(arch::Activation activation) {
    if (activation == arch::Activation::silu) return kernels::Gate::silu;
    if (activation == arch::Activation::gelu) return kernels::Gate::gelu;
    if (activation == arch::Activation::relu) return kernels::Gate::relu;
    return {};
}

kernels::GateShape gate_shape(const Tensor& both, std::int64_t gate) {
    const std::int64_t width = both.size(-1) / 2;
    return {cuda::number_of(both), static_cast<kernels::Gate>(gate), both.numel() / (2 * width), width};
}

struct Gated : torch::autograd::Function<Gated> {
    static Tensor forward(AutogradContext* context, const Tensor& any_both, std::int64_t gate) {
        const Tensor both = any_both.contiguous();
        std::vector<std::int64_t> sizes = both.sizes().vec();
        sizes.back() /= 2;
        const Tensor y = at::empty(sizes, both.options());
        kernels::gate_forward(gate_shape(both, gate), both.data_ptr(), y.data_ptr(), cuda::stream());
        C10_CUDA_KERNEL_LAUNCH_CHECK();
        context->save_for_backward({both});
        context->saved_data["gate"] = gate;
        return y;
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const Tensor both = context->get_saved_variables()[0], gradient = gradients[0].contiguous(),
                     by_both = at::empty_like(both);
        kernels::gate_backward(gate_shape(both, context->saved_data["gate"].toInt()), gradient.data_ptr(),
                               both.data_ptr(), by_both.data_ptr(), cuda::stream());
        C10_CUDA_KERNEL_LAUNCH_CHECK();
        return {by_both, Tensor()};
    }
};

}  // namespace

bool joins_gate(const Tensor& x, arch::Activation activation, std::int64_t hidden) {
    return cuda::taken(x) && hidden % 2 == 0 && gate_of(activation).has_value();
}

Tensor gated(arch::Activation activation, const Tensor& both) {
    const auto gate = gate_of(activation);
    PLIMSOLL_CHECK(gate.has_value(), "a gate that the kernels have");
    return Gated::apply(both, static_cast<std::int64_t>(*gate));
}

}  // namespace plimsoll::model

#include <torch/csrc/autograd/custom_function.h>

#include "plimsoll/model/cuda/biased_products.h"
#include "plimsoll/model/cuda/tensors.h"
#include "plimsoll/model/fused.h"
#include "plimsoll/model/plain.h"

namespace plimsoll::model {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// LibTorch's product; only the gradient by the bias is ours.
struct BiasedLinear : torch::autograd::Function<BiasedLinear> {
    static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& weight,
                          const Tensor& bias) {
        context->save_for_backward({x, weight});
        return at::linear(x, weight, bias);
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const Tensor &x = saved[0], &weight = saved[1];
        const Tensor gradient = gradients[0].reshape({-1, weight.size(0)});  // (rows, out)
        const Tensor by_x =
            context->needs_input_grad(0) ? at::mm(gradient, weight).view(x.sizes()) : Tensor();
        const Tensor by_weight = at::mm(gradient.t(), x.reshape({-1, weight.size(1)}));
        return {by_x, by_weight, sums_of_rows(gradient.unsqueeze(0)).squeeze(0)};
    }
};

}  // namespace

Tensor sums_of_rows(const Tensor& any_x) {
    if (!cuda::taken(any_x) || any_x.size(2) % 2 != 0) return any_x.sum(1);
    const Tensor x = any_x.contiguous();
    const kernels::ColumnShape shape{cuda::number_of(x), static_cast<int>(x.size(0)), x.size(1), x.size(2)};
    const Tensor partials =
        at::empty({x.size(0), kernels::column_bands(shape), x.size(2)}, cuda::floats_like(x));
    kernels::column_sums(shape, x.data_ptr(), partials.data_ptr<float>(), cuda::stream());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return cuda::joined(partials, x);
}

Tensor products_with_bias(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    const bool taken =
        cuda::taken(x) && x.scalar_type() == weight.scalar_type() && x.scalar_type() == bias.scalar_type();
    const Tensor out = taken ? cuda::biased_products(x, weight, bias) : Tensor();
    if (out.defined()) return out;
    return at::baddbmm(bias.unsqueeze(1), x, weight.transpose(1, 2));
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    const bool biased = weight.dim() == 2 && bias.defined() && cuda::taken(x) &&
                        x.scalar_type() == weight.scalar_type() && weight.size(0) % 2 == 0;
    return biased ? BiasedLinear::apply(x, weight, bias) : plain::linear(x, weight, bias);
}

}  // namespace plimsoll::model

#include <torch/csrc/autograd/custom_function.h>

#include "plimsoll/kernels/row_norms.h"
#include "plimsoll/model/cuda/tensors.h"
#include "plimsoll/model/fused.h"
#include "plimsoll/model/plain.h"

namespace plimsoll::model {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// x (K B, ..., width) for weight (width) or (K, width).
kernels::NormShape norm_shape(const Tensor& x, const Tensor& weight, bool centred) {
    const std::int64_t runs = weight.dim() == 2 ? weight.size(0) : 1;
    return {cuda::number_of(x), static_cast<int>(runs), x.numel() / x.size(-1) / runs,
            static_cast<int>(x.size(-1)), centred};
}

// Layer norm with a mean, RMS norm without.
struct Norm : torch::autograd::Function<Norm> {
    static Tensor forward(AutogradContext* context, const Tensor& any_x, const Tensor& any_weight,
                          const Tensor& any_bias, double epsilon, bool centred) {
        const Tensor x = any_x.contiguous(), weight = any_weight.contiguous();
        const Tensor bias = any_bias.numel() > 0 ? any_bias.contiguous() : Tensor();
        const auto shape = norm_shape(x, weight, centred);
        const Tensor y = at::empty_like(x),
                     scale = at::empty({shape.runs * shape.rows}, cuda::floats_like(x)),
                     mean = centred ? at::empty_like(scale) : Tensor();
        kernels::norm_forward(shape, x.data_ptr(), {weight.data_ptr(), cuda::pointer(bias)},
                              static_cast<float>(epsilon), y.data_ptr(), moments(mean, scale),
                              cuda::stream());
        C10_CUDA_KERNEL_LAUNCH_CHECK();
        context->save_for_backward({x, weight, mean, scale});
        context->saved_data["bias"] = bias.defined();
        return y;
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const Tensor &x = saved[0], &weight = saved[1], gradient = gradients[0].contiguous();
        const auto shape = norm_shape(x, weight, saved[2].defined());
        const Tensor by_x = at::empty_like(x);
        const Tensor partials = at::empty(
            {shape.runs, kernels::norm_partials(shape), kernels::norm_sums(shape)}, cuda::floats_like(x));
        kernels::norm_backward(shape, gradient.data_ptr(), x.data_ptr(), weight.data_ptr(),
                               moments(saved[2], saved[3]), by_x.data_ptr(), partials.data_ptr<float>(),
                               cuda::stream());
        C10_CUDA_KERNEL_LAUNCH_CHECK();
        const Tensor sums = cuda::joined(partials, weight);  // by weight, by bias
        const auto part = [&](std::int64_t first) {
            return sums.narrow(1, first, shape.width).reshape(weight.sizes());
        };
        const bool has_bias = context->saved_data["bias"].toBool();
        return {by_x, part(0), has_bias ? part(shape.width) : Tensor(), Tensor(), Tensor()};
    }

  private:
    static kernels::NormMoments moments(const Tensor& mean, const Tensor& scale) {
        return {mean.defined() ? mean.data_ptr<float>() : nullptr, scale.data_ptr<float>()};
    }
};

bool norms_here(const Tensor& x, const Tensor& weight) {
    return cuda::taken(x) && x.scalar_type() == weight.scalar_type() && x.size(-1) % 2 == 0 &&
           x.size(-1) <= kernels::largest_norm_width;
}

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon) {
    if (!norms_here(x, weight)) return plain::layer_norm(x, weight, bias, epsilon);
    return Norm::apply(x, weight, cuda::or_none(bias, x), epsilon, true);
}

Tensor rms_norm(const Tensor& x, const Tensor& weight, double epsilon) {
    if (!norms_here(x, weight)) return plain::rms_norm(x, weight, epsilon);
    return Norm::apply(x, weight, cuda::or_none({}, x), epsilon, false);
}

}  // namespace plimsoll::model

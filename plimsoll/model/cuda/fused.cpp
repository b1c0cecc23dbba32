#include "plimsoll/model/fused.h"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include "plimsoll/model/cpu/layer_norm.h"
#include "plimsoll/model/cpu/products.h"
#include "plimsoll/model/cuda/row_kernels.h"
#include "plimsoll/model/stack.h"

namespace plimsoll::model {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

bool has_kernels(const Tensor& x, const Tensor& weight) {
    return x.is_cuda() && x.scalar_type() == weight.scalar_type() && x.numel() > 0 &&
           (x.scalar_type() == at::kBFloat16 || x.scalar_type() == at::kFloat);
}

Number number_of(const Tensor& x) { return x.scalar_type() == at::kBFloat16 ? Number::bf16 : Number::fp32; }

NormShape norm_shape(const Tensor& x) {
    return {number_of(x), x.numel() / x.size(-1), static_cast<int>(x.size(-1))};
}

cudaStream_t stream() { return c10::cuda::getCurrentCUDAStream().stream(); }

// (bands, width) float to (width) numbers as `like`.
Tensor joined(const Tensor& partials, const Tensor& like) {
    const Tensor sums = at::empty({partials.size(1)}, like.options());
    join_partials(number_of(like), partials.data_ptr<float>(), static_cast<int>(partials.size(0)),
                  partials.size(1), sums.data_ptr(), stream());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return sums;
}

// The sum over all dimensions but the last.
Tensor sum_of_rows(const Tensor& x) {
    const Tensor matrix = x.contiguous();
    const std::int64_t width = matrix.size(-1), rows = matrix.numel() / width;
    const Tensor partials = at::empty({column_partials(rows), width}, matrix.options().dtype(at::kFloat));
    column_sums(number_of(matrix), matrix.data_ptr(), rows, width, partials.data_ptr<float>(), stream());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return joined(partials, matrix);
}

struct LayerNorm : torch::autograd::Function<LayerNorm> {
    static Tensor forward(AutogradContext* context, const Tensor& any_x, const Tensor& weight,
                          const Tensor& bias, double epsilon) {
        const Tensor x = any_x.contiguous();
        const NormShape shape = norm_shape(x);
        const auto floats = x.options().dtype(at::kFloat);
        const Tensor y = at::empty_like(x), mean = at::empty({shape.rows}, floats),
                     scale = at::empty({shape.rows}, floats);
        norm_forward(shape, x.data_ptr(), weight.data_ptr(), bias.defined() ? bias.data_ptr() : nullptr,
                     static_cast<float>(epsilon), y.data_ptr(), mean.data_ptr<float>(),
                     scale.data_ptr<float>(), stream());
        C10_CUDA_KERNEL_LAUNCH_CHECK();
        context->save_for_backward({x, weight, mean, scale});
        context->saved_data["bias"] = bias.defined();
        return y;
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const Tensor &x = saved[0], &weight = saved[1], gradient = gradients[0].contiguous();
        const NormShape shape = norm_shape(x);
        const Tensor by_x = at::empty_like(x);
        const Tensor partials =
            at::empty({norm_partials(shape), 2 * shape.width}, x.options().dtype(at::kFloat));
        norm_backward(shape, gradient.data_ptr(), x.data_ptr(), weight.data_ptr(), saved[2].data_ptr<float>(),
                      saved[3].data_ptr<float>(), by_x.data_ptr(), partials.data_ptr<float>(), stream());
        C10_CUDA_KERNEL_LAUNCH_CHECK();
        const Tensor sums = joined(partials, weight);  // by weight, by bias
        const bool has_bias = context->saved_data["bias"].toBool();
        return {by_x, sums.narrow(0, 0, shape.width),
                has_bias ? sums.narrow(0, shape.width, shape.width) : Tensor(), Tensor()};
    }
};

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
        return {by_x, by_weight, sum_of_rows(gradient)};
    }
};

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon) {
    if (weight.dim() == 2) return stacked_layer_norm(x, weight, bias, epsilon);
    const std::int64_t width = weight.numel();
    if (has_kernels(x, weight) && width % 2 == 0 && width <= largest_norm_width)
        return LayerNorm::apply(x, weight, bias, epsilon);
    if (cpu::ours(x) && x.scalar_type() == weight.scalar_type())
        return cpu::layer_norm(x, weight, bias, epsilon);
    return at::layer_norm(x, weight.sizes(), weight, bias, epsilon);
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    if (weight.dim() == 3) return stacked_linear(x, weight, bias);
    const bool even = weight.size(0) % 2 == 0;
    if (bias.defined() && even && has_kernels(x, weight)) return BiasedLinear::apply(x, weight, bias);
    if (cpu::ours(x) && x.scalar_type() == weight.scalar_type()) return cpu::linear(x, weight, bias);
    return at::linear(x, weight, bias);
}

}  // namespace plimsoll::model

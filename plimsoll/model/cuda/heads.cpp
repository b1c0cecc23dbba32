#include <torch/csrc/autograd/custom_function.h>

#include "plimsoll/kernels/rotary.h"
#include "plimsoll/model/cuda/tensors.h"
#include "plimsoll/model/fused.h"

namespace plimsoll::model {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// x (B, T, heads * head_dim), gaps between tokens allowed.
kernels::HeadShape head_shape(const Tensor& x, const Tensor& norm, std::int64_t heads, double epsilon) {
    const std::int64_t runs = norm.defined() && norm.dim() == 2 ? norm.size(0) : 1;
    return {cuda::number_of(x), static_cast<int>(runs),     x.size(0) * x.size(1) / runs,
            x.size(1),          static_cast<int>(heads),    static_cast<int>(x.size(2) / heads),
            x.stride(1),        static_cast<float>(epsilon)};
}

// The cosines or the sines of all positions, one after the other.
const float* row_of(const Tensor& angles, std::int64_t row) {
    return angles.defined() ? angles.data_ptr<float>() + row * angles.stride(0) : nullptr;
}

// (B, T, heads, head_dim).
struct FormHeads : torch::autograd::Function<FormHeads> {
    static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& any_norm,
                          const Tensor& any_angles, std::int64_t heads, double epsilon) {
        const Tensor norm = any_norm.numel() > 0 ? any_norm.contiguous() : Tensor(),
                     angles = any_angles.numel() > 0 ? any_angles : Tensor();
        const auto shape = head_shape(x, norm, heads, epsilon);
        const Tensor y = at::empty({x.size(0), x.size(1), heads, shape.head_dim}, x.options());
        const Tensor scales =
            norm.defined() ? at::empty({x.size(0) * x.size(1) * heads}, cuda::floats_like(x)) : Tensor();
        kernels::heads_forward(shape, x.data_ptr(), cuda::pointer(norm), row_of(angles, 0), row_of(angles, 1),
                               y.data_ptr(), scales.defined() ? scales.data_ptr<float>() : nullptr,
                               cuda::stream());
        C10_CUDA_KERNEL_LAUNCH_CHECK();
        context->save_for_backward({x, norm, angles, scales});
        context->saved_data["heads"] = heads;
        context->saved_data["epsilon"] = epsilon;
        return y;
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const Tensor &x = saved[0], &norm = saved[1], &angles = saved[2], &scales = saved[3];
        const Tensor gradient = gradients[0].contiguous();
        const auto shape = head_shape(x, norm, context->saved_data["heads"].toInt(),
                                      context->saved_data["epsilon"].toDouble());
        const Tensor by_x = at::empty(x.sizes(), x.options());
        Tensor partials;
        if (norm.defined())
            partials =
                at::empty({shape.runs, kernels::heads_partials(shape), shape.head_dim}, cuda::floats_like(x));
        kernels::heads_backward(shape, gradient.data_ptr(), x.data_ptr(), cuda::pointer(norm),
                                row_of(angles, 0), row_of(angles, 1),
                                scales.defined() ? scales.data_ptr<float>() : nullptr, by_x.data_ptr(),
                                partials.defined() ? partials.data_ptr<float>() : nullptr, cuda::stream());
        C10_CUDA_KERNEL_LAUNCH_CHECK();
        const Tensor by_norm = norm.defined() ? cuda::joined(partials, norm).reshape(norm.sizes()) : Tensor();
        return {by_x, by_norm, Tensor(), Tensor(), Tensor()};
    }
};

}  // namespace

bool forms_heads(const Tensor& x, const HeadForm& form) {
    const std::int64_t head_dim = x.size(2) / form.heads;
    const bool even_places = x.stride(2) == 1 && x.stride(1) % 2 == 0 && x.storage_offset() % 2 == 0 &&
                             x.stride(0) == x.size(1) * x.stride(1);
    const bool angles_fit =
        !form.angles.defined() || (form.angles.scalar_type() == at::kFloat && form.angles.stride(2) == 1 &&
                                   form.angles.stride(1) == head_dim / 2 && form.angles.size(1) >= x.size(1));
    return cuda::taken(x) && even_places && head_dim % 4 == 0 && head_dim <= kernels::largest_head &&
           angles_fit && (!form.norm.defined() || form.norm.scalar_type() == x.scalar_type());
}

Tensor form_heads(const Tensor& x, const HeadForm& form) {
    return FormHeads::apply(x, cuda::or_none(form.norm, x), cuda::or_none(form.angles, x), form.heads,
                            form.epsilon)
        .transpose(1, 2);
}

}  // namespace plimsoll::model

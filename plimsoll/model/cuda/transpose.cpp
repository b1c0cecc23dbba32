#include "plimsoll/kernels/transpose.h"

#include <torch/csrc/autograd/custom_function.h>

#include "plimsoll/model/cuda/tensors.h"
#include "plimsoll/model/fused.h"

namespace plimsoll::model {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t most_matrices = 65535;  // of one launch

bool turned_here(const Tensor& x) {
    return cuda::taken(x) && x.dim() == 3 && x.size(0) <= most_matrices && x.size(1) % 2 == 0 &&
           x.size(2) % 2 == 0;
}

// x (B, m, n) as (B, n, m), or `base` plus `factor` times that.
Tensor turned(const Tensor& any_x, const Tensor& base, double factor) {
    const Tensor x = any_x.contiguous(), y = at::empty({x.size(0), x.size(2), x.size(1)}, x.options());
    const kernels::TransposeShape shape{cuda::number_of(x), x.size(0), static_cast<int>(x.size(1)),
                                        static_cast<int>(x.size(2))};
    kernels::transpose(shape, x.data_ptr(), cuda::pointer(base), static_cast<float>(factor), y.data_ptr(),
                       cuda::stream());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}

struct Turned : torch::autograd::Function<Turned> {
    static Tensor forward(AutogradContext*, const Tensor& x) { return turned(x, {}, 1); }
    static variable_list backward(AutogradContext*, const variable_list& gradients) {
        return {turned(gradients[0], {}, 1)};
    }
};

struct PlusTurned : torch::autograd::Function<PlusTurned> {
    static Tensor forward(AutogradContext* context, const Tensor& base, const Tensor& x, double factor) {
        context->saved_data["factor"] = factor;
        return turned(x, base.contiguous(), factor);
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const double factor = context->saved_data["factor"].toDouble();
        const Tensor by_x = turned(gradients[0], {}, 1);
        return {gradients[0], factor == 1 ? by_x : by_x * factor, Tensor()};
    }
};

}  // namespace

Tensor transposed(const Tensor& x) { return turned_here(x) ? Turned::apply(x) : x.transpose(1, 2); }

Tensor plus_transposed(const Tensor& base, const Tensor& x, double factor) {
    if (turned_here(x) && base.scalar_type() == x.scalar_type()) return PlusTurned::apply(base, x, factor);
    return at::add(base, x.transpose(1, 2), factor);
}

}  // namespace plimsoll::model

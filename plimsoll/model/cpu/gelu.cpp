#include "plimsoll/model/cpu/gelu.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <torch/csrc/autograd/custom_function.h>

#include "plimsoll/model/cpu/row_kernels.h"
#include "plimsoll/model/cpu/threads.h"

namespace plimsoll::model::cpu {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Gelu : torch::autograd::Function<Gelu> {
    static Tensor forward(AutogradContext* context, const Tensor& any_x) {
        const Tensor x = any_x.contiguous();
        context->save_for_backward({x});
        Tensor y = at::empty_like(x);
        AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gelu", [&] {
            const auto* from = x.data_ptr<scalar_t>();
            auto* to = y.data_ptr<scalar_t>();
            for_chunks(x.numel(), [&](std::int64_t start, std::int64_t count) {
                gelu_forward(from + start, to + start, count);
            });
        });
        return y;
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const Tensor x = context->get_saved_variables()[0], by_y = gradients[0].contiguous();
        Tensor by_x = at::empty_like(x);
        AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gelu", [&] {
            const auto *at = x.data_ptr<scalar_t>(), *from = by_y.data_ptr<scalar_t>();
            auto* to = by_x.data_ptr<scalar_t>();
            for_chunks(x.numel(), [&](std::int64_t start, std::int64_t count) {
                gelu_backward(at + start, from + start, to + start, count);
            });
        });
        return {by_x};
    }
};

}  // namespace

Tensor gelu(const Tensor& x) { return Gelu::apply(x); }

}  // namespace plimsoll::model::cpu

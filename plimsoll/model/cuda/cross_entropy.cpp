#include "plimsoll/kernels/cross_entropy.h"

#include <torch/csrc/autograd/custom_function.h>

#include "plimsoll/model/cuda/tensors.h"
#include "plimsoll/model/fused.h"
#include "plimsoll/model/plain.h"

namespace plimsoll::model {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

kernels::LogitsShape logits_shape(const Tensor& logits) {
    return {cuda::number_of(logits), logits.size(0), logits.size(1), logits.stride(0)};
}

// The kernels read whole strides, sixteen bytes at a time.
bool readable(const Tensor& logits) {
    const bool aligned = reinterpret_cast<std::uintptr_t>(logits.data_ptr()) % 16 == 0;
    const bool whole = logits.stride(0) == logits.size(1) || logits.storage_offset() == 0;
    return logits.stride(1) == 1 && logits.stride(0) >= logits.size(1) && aligned && whole;
}

struct CrossEntropies : torch::autograd::Function<CrossEntropies> {
    // logits (rows, classes), gaps between rows allowed; targets (rows) long.
    static Tensor forward(AutogradContext* context, const Tensor& logits, const Tensor& targets,
                          std::int64_t ignored) {
        const Tensor losses = at::empty({logits.size(0)}, cuda::floats_like(logits)),
                     sums = at::empty_like(losses);
        kernels::cross_entropy_forward(logits_shape(logits), logits.data_ptr(),
                                       targets.data_ptr<std::int64_t>(), ignored, losses.data_ptr<float>(),
                                       sums.data_ptr<float>(), cuda::stream());
        C10_CUDA_KERNEL_LAUNCH_CHECK();
        context->save_for_backward({logits, targets, sums});
        context->saved_data["ignored"] = ignored;
        return losses;
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const Tensor &logits = saved[0], &targets = saved[1], gradient = gradients[0].contiguous();
        const auto shape = logits_shape(logits);
        const Tensor whole = at::empty({shape.rows, shape.stride}, logits.options());
        kernels::cross_entropy_backward(shape, logits.data_ptr(), targets.data_ptr<std::int64_t>(),
                                        context->saved_data["ignored"].toInt(), saved[2].data_ptr<float>(),
                                        gradient.data_ptr<float>(), whole.data_ptr(), cuda::stream());
        C10_CUDA_KERNEL_LAUNCH_CHECK();
        return {whole.narrow(1, 0, shape.classes), Tensor(), Tensor()};
    }
};

}  // namespace

Tensor cross_entropies(const Tensor& logits, const Tensor& targets, std::int64_t ignored) {
    if (!cuda::taken(logits) || targets.scalar_type() != at::kLong)
        return plain::cross_entropies(logits, targets, ignored);
    const Tensor rows = readable(logits) ? logits : logits.clone(at::MemoryFormat::Contiguous);
    return CrossEntropies::apply(rows, targets.contiguous(), ignored);
}

}  // namespace plimsoll::model

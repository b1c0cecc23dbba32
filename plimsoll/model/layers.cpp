#include "plimsoll/model/layers.h"

#include <torch/csrc/autograd/custom_function.h>

#include "plimsoll/base/check.h"
#include "plimsoll/model/cpu/gelu.h"
#include "plimsoll/model/cpu/products.h"
#include "plimsoll/model/fused.h"
#include "plimsoll/model/stack.h"

namespace plimsoll::model {
namespace {

struct Permute : torch::autograd::Function<Permute> {
    static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& x, const Tensor& images,
                          const Tensor& places) {
        context->save_for_backward({images});
        return x.index_select(-1, places);
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        const Tensor images = context->get_saved_variables()[0];
        return {gradients[0].index_select(-1, images), Tensor(), Tensor()};
    }
};

}  // namespace

Tensor Linear::operator()(const Tensor& x) const { return linear(x, weight.value(), bias); }

Tensor Linear::masked(const Tensor& x, const Tensor& mask) const {
    return linear(x, weight.value() * mask, bias);
}

Tensor NormLayer::operator()(const Tensor& x) const {
    switch (kind) {
        case arch::Norm::none:
            return x;
        case arch::Norm::layer:
            return layer_norm(x, weight, bias, norm_epsilon);
        case arch::Norm::rms:
            return rms_norm(x, weight, norm_epsilon);
    }
    PLIMSOLL_CHECK(false, "unknown norm");
    return {};
}

namespace {

// LibTorch's oneDNN path leaves the gradient of gelu unwritten when the one that comes in is not contiguous
// (seen in 1.13: after a transpose).
Tensor exact_gelu(const Tensor& x) {
    if (!x.is_cpu()) return at::gelu(x);
    if (cpu::ours(x)) return cpu::gelu(x);
    const Tensor y = at::gelu(x);
    if (y.requires_grad()) y.register_hook([](const Tensor& gradient) { return gradient.contiguous(); });
    return y;
}

}  // namespace

Tensor activate(arch::Activation activation, const Tensor& x) {
    switch (activation) {
        case arch::Activation::gelu:
            return exact_gelu(x);
        case arch::Activation::relu:
            return at::relu(x);
        case arch::Activation::silu:
            return at::silu(x);
        case arch::Activation::tanh:
            return at::tanh(x);
        case arch::Activation::square:
            return at::square(x);
        case arch::Activation::identity:
            return x;
    }
    PLIMSOLL_CHECK(false, "unknown activation");
    return {};
}

Tensor cut_patches(const arch::ImageInput& image, const Tensor& pixels) {
    const std::int64_t rows = image.image / image.patch, cols = image.image_width / image.patch_width;
    return pixels.reshape({pixels.size(0), image.image_channels, rows, image.patch, cols, image.patch_width})
        .permute({0, 2, 4, 1, 3, 5})  // (B, rows, cols, C, patch, patch_width)
        .reshape({pixels.size(0), rows * cols, image.patch_dim()});
}

Tensor permute_last(const Tensor& x, const Tensor& images, const Tensor& places) {
    return Permute::apply(x, images, places);
}

}  // namespace plimsoll::model

#include "plimsoll/model/cpu/layer_norm.h"

#include <algorithm>

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

// Rows whose gradients by weight and bias are added up by one thread.
constexpr std::int64_t band = 64;

std::int64_t row_count(const Tensor& x) { return x.numel() / x.size(-1); }

// work(number of the band, its first row, its rows) on all threads.
template <class Work>
void for_bands(std::int64_t rows, const Work& work) {
    on_all_threads((rows + band - 1) / band, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) work(i, i * band, std::min(band, rows - i * band));
    });
}

// A bias without entries is none: LibTorch 1.13 takes no undefined tensor here.
struct LayerNorm : torch::autograd::Function<LayerNorm> {
    static Tensor forward(AutogradContext* context, const Tensor& any_x, const Tensor& weight,
                          const Tensor& bias, double epsilon) {
        const Tensor x = any_x.contiguous(), factors = weight.contiguous(), shifts = bias.contiguous();
        const std::int64_t rows = row_count(x), width = x.size(-1);
        Tensor y = at::empty_like(x), mean = at::empty({rows}, x.options()), scale = at::empty_like(mean);
        AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "layer_norm", [&] {
            const auto at = [](const Tensor& t) { return t.data_ptr<scalar_t>(); };
            for_bands(rows, [&](std::int64_t, std::int64_t start, std::int64_t count) {
                NormRows<scalar_t>{count, width, at(factors)}.forward(
                    at(x) + start * width, bias.numel() > 0 ? at(shifts) : nullptr,
                    static_cast<scalar_t>(epsilon), at(y) + start * width, at(mean) + start,
                    at(scale) + start);
            });
        });
        context->save_for_backward({x, factors, mean, scale});
        context->saved_data["bias"] = bias.numel() > 0;
        return y;
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const Tensor &x = saved[0], &weight = saved[1], &mean = saved[2], &scale = saved[3];
        const Tensor by_y = gradients[0].contiguous();
        const std::int64_t rows = row_count(x), width = x.size(-1);
        const Tensor by_x = at::empty_like(x);
        const Tensor parts = at::zeros({(rows + band - 1) / band, 2, width}, x.options());
        AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "layer_norm", [&] {
            const auto at = [](const Tensor& t) { return t.data_ptr<scalar_t>(); };
            for_bands(rows, [&](std::int64_t index, std::int64_t start, std::int64_t count) {
                scalar_t* part = at(parts) + index * 2 * width;
                NormRows<scalar_t>{count, width, at(weight)}.backward(
                    at(by_y) + start * width, at(x) + start * width, at(mean) + start, at(scale) + start,
                    at(by_x) + start * width, part, part + width);
            });
        });
        const Tensor sums = parts.sum(0);
        const bool has_bias = context->saved_data["bias"].toBool();
        return {by_x, sums.select(0, 0), has_bias ? sums.select(0, 1) : Tensor(), Tensor()};
    }
};

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon) {
    if (x.numel() == 0) return at::layer_norm(x, weight.sizes(), weight, bias, epsilon);
    return LayerNorm::apply(x, weight, bias.defined() ? bias : at::empty({0}, x.options()), epsilon);
}

}  // namespace plimsoll::model::cpu

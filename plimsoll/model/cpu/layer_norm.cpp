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

std::int64_t runs_of(const Tensor& weight) { return weight.dim() == 2 ? weight.size(0) : 1; }

// Bands of rows, none of which belongs to two runs.
struct Bands {
    std::int64_t runs, rows;  // rows of each run

    Bands(const Tensor& x, const Tensor& weight)
        : runs(runs_of(weight)), rows(row_count(x) / runs_of(weight)) {}
    [[nodiscard]] std::int64_t each() const { return (rows + band - 1) / band; }

    // work(number of the band, its run, its first row of all, its rows) on all threads.
    template <class Work>
    void visit(const Work& work) const {
        on_all_threads(runs * each(), [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t i = first; i < last; ++i) {
                const std::int64_t run = i / each(), start = i % each() * band;
                work(i, run, run * rows + start, std::min(band, rows - start));
            }
        });
    }
};

// A bias without entries is none: LibTorch 1.13 takes no undefined tensor here.
struct LayerNorm : torch::autograd::Function<LayerNorm> {
    static Tensor forward(AutogradContext* context, const Tensor& any_x, const Tensor& weight,
                          const Tensor& bias, double epsilon) {
        const Tensor x = any_x.contiguous(), factors = weight.contiguous(), shifts = bias.contiguous();
        const std::int64_t rows = row_count(x), width = x.size(-1);
        Tensor y = at::empty_like(x), mean = at::empty({rows}, x.options()), scale = at::empty_like(mean);
        AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "layer_norm", [&] {
            const auto at = [](const Tensor& t) { return t.data_ptr<scalar_t>(); };
            Bands(x, weight).visit(
                [&](std::int64_t, std::int64_t run, std::int64_t start, std::int64_t count) {
                    NormRows<scalar_t>{count, width, at(factors) + run * width}.forward(
                        at(x) + start * width, bias.numel() > 0 ? at(shifts) + run * width : nullptr,
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
        const std::int64_t width = x.size(-1);
        const Bands bands(x, weight);
        const Tensor by_x = at::empty_like(x);
        const Tensor parts = at::zeros({bands.runs, bands.each(), 2, width}, x.options());
        AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "layer_norm", [&] {
            const auto at = [](const Tensor& t) { return t.data_ptr<scalar_t>(); };
            bands.visit([&](std::int64_t index, std::int64_t run, std::int64_t start, std::int64_t count) {
                scalar_t* part = at(parts) + index * 2 * width;
                NormRows<scalar_t>{count, width, at(weight) + run * width}.backward(
                    at(by_y) + start * width, at(x) + start * width, at(mean) + start, at(scale) + start,
                    at(by_x) + start * width, part, part + width);
            });
        });
        const Tensor sums = parts.sum(1);  // (K, 2, width)
        const bool has_bias = context->saved_data["bias"].toBool();
        return {by_x, sums.select(1, 0).view_as(weight),
                has_bias ? sums.select(1, 1).view_as(weight) : Tensor(), Tensor()};
    }
};

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon) {
    if (x.numel() == 0 && weight.dim() == 1) return at::layer_norm(x, weight.sizes(), weight, bias, epsilon);
    return LayerNorm::apply(x, weight, bias.defined() ? bias : at::empty({0}, x.options()), epsilon);
}

}  // namespace plimsoll::model::cpu

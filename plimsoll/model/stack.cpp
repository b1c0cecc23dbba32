#include "plimsoll/model/stack.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "plimsoll/base/check.h"
#include "plimsoll/model/cpu/layer_norm.h"
#include "plimsoll/model/cpu/products.h"
#include "plimsoll/model/fused.h"

namespace plimsoll::model {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// out (K, m, n) = a (K, m, p) b (K, p, n) + bias (K, n), which may be undefined.
Tensor products(const Tensor& a, const Tensor& b, const Tensor& bias) {
    if (cpu::ours(a)) {
        const Tensor out = at::empty({a.size(0), a.size(1), b.size(2)}, a.options());
        cpu::products(out, a, b, bias);
        return out;
    }
    return bias.defined() ? products_with_bias(a, b.transpose(1, 2), bias) : at::bmm(a, b);
}

// A bias without entries is none: LibTorch 1.13 takes no undefined tensor here.
Tensor or_none(const Tensor& bias, const Tensor& like) {
    return bias.defined() ? bias : at::empty({0}, like.options());
}

struct StackedLinear : torch::autograd::Function<StackedLinear> {
    // x (K, rows, in), weight (K, out, in).
    static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& weight,
                          const Tensor& bias) {
        context->save_for_backward({x, weight});
        return products(x, weight.transpose(1, 2), bias.numel() > 0 ? bias : Tensor());
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const Tensor &x = saved[0], &weight = saved[1], &gradient = gradients[0];  // (K, rows, out)
        Tensor by_x, by_weight, by_bias;
        if (context->needs_input_grad(0)) by_x = products(gradient, weight, {});
        if (context->needs_input_grad(1)) by_weight = products(gradient.transpose(1, 2), x, {});
        if (context->needs_input_grad(2)) by_bias = sums_of_rows(gradient);
        return {by_x, by_weight, by_bias};
    }
};

// x * factor + shift for x (K, rows, n), factor (K, n), shift (K, n).
struct ScaleAndShift : torch::autograd::Function<ScaleAndShift> {
    static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& factor,
                          const Tensor& shift) {
        context->save_for_backward({x, factor});
        const Tensor product = x * factor.unsqueeze(1);
        return shift.numel() > 0 ? product.add_(shift.unsqueeze(1)) : product;
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const Tensor &x = saved[0], &factor = saved[1], gradient = gradients[0].contiguous();
        const Tensor by_shift = context->needs_input_grad(2) ? sums_of_rows(gradient) : Tensor();
        return {gradient * factor.unsqueeze(1), sums_of_rows(gradient * x), by_shift};
    }
};

}  // namespace

Tensor by_run(const Tensor& x, std::int64_t runs) {
    PLIMSOLL_CHECK(x.size(0) % runs == 0, "the runs of a stack have batches of one size");
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape[0] /= runs;
    shape.insert(shape.begin(), runs);
    return x.reshape(shape);
}

Tensor plus(const Tensor& x, const Tensor& term) {
    if (term.dim() < x.dim()) return x + term;
    return (by_run(x, term.size(0)) + term.unsqueeze(1)).flatten(0, 1);
}

Tensor scaled(const Tensor& x, const Tensor& factor) {
    if (factor.dim() == 1) return x * factor;
    const Tensor rows = x.reshape({factor.size(0), -1, factor.size(1)});
    return (rows * factor.unsqueeze(1)).view(x.sizes());
}

Tensor embed(const Tensor& table, const Tensor& ids) {
    if (table.dim() == 2) return at::embedding(table, ids);
    const std::int64_t runs = table.size(0), rows = table.size(1);
    const Tensor first = at::arange(runs, ids.options()) * rows;
    const Tensor places = by_run(ids, runs).flatten(1) + first.unsqueeze(1);
    std::vector<std::int64_t> shape = ids.sizes().vec();
    shape.push_back(table.size(2));
    return at::embedding(table.flatten(0, 1), places).view(shape);
}

Tensor for_each_example(const Tensor& term, std::int64_t examples) {
    if (term.dim() == 2) return term.unsqueeze(0).expand({examples, -1, -1});
    const std::int64_t runs = term.size(0);
    return term.unsqueeze(1).expand({runs, examples / runs, -1, -1}).flatten(0, 1);
}

Tensor plain_linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    return weight.dim() == 2 ? at::linear(x, weight, bias) : stacked_linear(x, weight, bias);
}

Tensor stacked_linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.back() = weight.size(1);
    const Tensor rows = x.reshape({weight.size(0), -1, weight.size(2)});
    return StackedLinear::apply(rows, weight, or_none(bias, x)).view(shape);
}

Tensor stacked_layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon) {
    if (cpu::ours(x) && x.scalar_type() == weight.scalar_type())
        return cpu::layer_norm(x, weight, bias, epsilon);
    const Tensor ones = at::ones({weight.size(1)}, weight.options().requires_grad(false));
    const Tensor normed = layer_norm(x, ones, {}, epsilon).view({weight.size(0), -1, weight.size(1)});
    return ScaleAndShift::apply(normed, weight, or_none(bias, x)).view(x.sizes());
}

Tensor weight_times(const Tensor& weight, const Tensor& x) {
    if (weight.dim() == 2) return at::matmul(weight, x);
    return at::matmul(weight.unsqueeze(1), by_run(x, weight.size(0))).flatten(0, 1);
}

Tensor times_weight(const Tensor& x, const Tensor& weight) {
    if (weight.dim() == 2) return at::matmul(x, weight);
    return at::matmul(by_run(x, weight.size(0)), weight.unsqueeze(1)).flatten(0, 1);
}

}  // namespace plimsoll::model

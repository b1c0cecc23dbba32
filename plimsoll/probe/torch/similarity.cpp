#include "plimsoll/probe/torch/similarity.h"

#include <cmath>

#include <ATen/ATen.h>

namespace plimsoll::probe {
namespace {

torch::Tensor centred(const torch::Tensor& gram) {
    return gram - gram.mean(0, true) - gram.mean(1, true) + gram.mean();
}

double number(const torch::Tensor& scalar) { return scalar.item<double>(); }

// Song et al. 2012, eq. 5, without its factor 1 / (n (n - 3)).
double unbiased_hsic(const torch::Tensor& first, const torch::Tensor& second) {
    const auto n = static_cast<double>(first.size(0));
    const torch::Tensor k = first - at::diag(first.diagonal()), l = second - at::diag(second.diagonal());
    return number((k * l).sum()) + number(k.sum()) * number(l.sum()) / ((n - 1) * (n - 2)) -
           2 / (n - 2) * number((k.sum(0) * l.sum(0)).sum());
}

}  // namespace

torch::Tensor gram_of(const torch::Tensor& activations) {
    const torch::Tensor flat = activations.detach().flatten(1).to(at::kDouble);
    // Centred first: what all examples share would drown the differences in rounding.
    const torch::Tensor rows = flat - flat.mean(0, true);
    const torch::Tensor largest = rows.abs().max();
    const torch::Tensor scaled = largest.item<double>() > 0 ? rows / largest : rows;
    return at::matmul(scaled, scaled.t());
}

double hsic(const torch::Tensor& first, const torch::Tensor& second, bool unbiased) {
    if (unbiased) return unbiased_hsic(first, second);
    return number((centred(first) * centred(second)).sum());
}

double cka(const torch::Tensor& first, const torch::Tensor& second, bool unbiased) {
    const double scale = hsic(first, first, unbiased) * hsic(second, second, unbiased);
    return scale > 0 ? hsic(first, second, unbiased) / std::sqrt(scale) : 0;
}

}  // namespace plimsoll::probe

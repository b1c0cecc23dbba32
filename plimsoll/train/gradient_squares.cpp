#include "plimsoll/train/gradient_squares.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include "plimsoll/train/loss.h"

namespace plimsoll::train {
namespace {

constexpr std::int64_t least_parts = 4;

// The gradient of each run's mean loss, a row for each.
torch::Tensor gradient_rows(const model::Network& network, const Batch& batch) {
    std::vector<torch::Tensor> leaves, rows;
    for (const auto& parameter : network.parameters()) leaves.push_back(parameter.tensor);
    const torch::Tensor losses = losses_of(network.forward(batch.input, 0), batch.targets, network.runs());
    for (const auto& gradient : torch::autograd::grad({losses.sum()}, leaves, {}, {}, false, true))
        if (gradient.defined()) rows.push_back(gradient.reshape({network.runs(), -1}));
    return at::cat(rows, 1);
}

// (K) on the host.
torch::Tensor squares_of(const torch::Tensor& rows) { return rows.to(at::kDouble).square().sum(1).cpu(); }

}  // namespace

std::int64_t noise_parts(std::int64_t batch, std::int64_t parts) {
    for (std::int64_t cut = parts; cut < batch; cut += parts)
        if (cut >= least_parts && batch % cut == 0) return cut;
    return batch;
}

std::vector<GradientSquares> gradient_squares(const model::Network& network, Feed& feed, std::int64_t step) {
    const std::int64_t batch = feed.plan().batch, parts = noise_parts(batch, feed.plan().parts);
    feed.choose(step, 1);
    const torch::Tensor first =
        at::zeros({1}, at::TensorOptions().dtype(at::kLong).device(feed.plan().device));
    torch::Tensor whole, of_parts = at::zeros({network.runs()}, at::kDouble);
    for (std::int64_t part = 0; part < parts; ++part) {
        const torch::Tensor rows = gradient_rows(network, feed.at(first, part, parts));
        const at::NoGradGuard no_grad;
        of_parts += squares_of(rows) / static_cast<double>(parts);
        whole = whole.defined() ? whole + rows : rows;
    }
    const torch::Tensor of_whole = squares_of(whole / static_cast<double>(parts));
    std::vector<GradientSquares> result;
    for (std::int64_t run = 0; run < network.runs(); ++run)
        result.push_back({of_whole[run].item<double>(), of_parts[run].item<double>(), batch, batch / parts});
    return result;
}

}  // namespace plimsoll::train

#include "plimsoll/train/flat_parameters.h"

#include <algorithm>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

namespace plimsoll::train {
namespace {

std::vector<const model::NamedTensor*> decayed_first(const model::Network& network, bool decay_all) {
    std::vector<const model::NamedTensor*> order;
    for (const auto& parameter : network.parameters()) order.push_back(&parameter);
    std::ranges::stable_partition(
        order, [&](const auto* parameter) { return decay_all || parameter->tensor.dim() >= 2; });
    return order;
}

}  // namespace

FlatParameters::FlatParameters(const model::Network& network, bool half, bool decay_all) {
    const at::NoGradGuard no_grad;
    const auto order = decayed_first(network, decay_all);
    std::int64_t total = 0;
    for (const auto* parameter : order) {
        places_.push_back({parameter->name, total, parameter->tensor.sizes().vec()});
        total += parameter->tensor.numel();
        if (decay_all || parameter->tensor.dim() >= 2) decayed_ = total;
    }
    const auto options = order.front()->tensor.options().requires_grad(false);
    masters_ = at::empty({total}, options);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::int64_t size = order[i]->tensor.numel();
        masters_.narrow(0, places_[i].offset, size).copy_(order[i]->tensor.flatten());
    }
    working_ = half ? masters_.to(at::kBFloat16) : masters_;
    gradients_ = at::zeros_like(working_);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto& [name, offset, shape] = places_[i];
        torch::Tensor tensor = order[i]->tensor;
        const std::int64_t size = tensor.numel();
        tensor.set_data(working_.narrow(0, offset, size).view(shape));
        leaves_.push_back(tensor);
    }
}

// One copy into the flat vector at the end: adding every parameter's gradient in its place, as backward()
// does, takes an operation for each.
void FlatParameters::differentiate(const torch::Tensor& loss, bool add) {
    const auto found = torch::autograd::grad({loss}, leaves_, {}, {}, false, true);
    const at::NoGradGuard no_grad;
    std::vector<torch::Tensor> flat;
    for (std::size_t i = 0; i < found.size(); ++i) {
        flat.push_back(found[i].defined() ? found[i].reshape({-1}) : at::zeros_like(leaves_[i]).view({-1}));
    }
    if (add) {
        gradients_.add_(at::cat(flat));
    } else {
        at::cat_out(gradients_, flat);
    }
}

void FlatParameters::publish() {
    if (!working_.is_same(masters_)) working_.copy_(masters_);
}

std::vector<model::NamedTensor> FlatParameters::named(const torch::Tensor& flat) const {
    std::vector<model::NamedTensor> result;
    for (const auto& [name, offset, shape] : places_) {
        std::int64_t size = 1;
        for (const std::int64_t side : shape) size *= side;
        result.push_back({name, flat.narrow(0, offset, size).view(shape)});
    }
    return result;
}

}  // namespace plimsoll::train

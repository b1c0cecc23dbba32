#include "plimsoll/train/flat_parameters.h"

#include <algorithm>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

namespace plimsoll::train {
namespace {

// Rows of a stack start at multiples of so many numbers, so that the kernels for pairs of them find them
// aligned.
constexpr std::int64_t row_multiple = 64;

// A parameter's shape for one run.
std::vector<std::int64_t> shape_for_one(const torch::Tensor& tensor, std::int64_t runs) {
    std::vector<std::int64_t> shape = tensor.sizes().vec();
    if (runs > 1) shape.erase(shape.begin());
    return shape;
}

bool decays(const torch::Tensor& tensor, std::int64_t runs, bool decay_all) {
    return decay_all || shape_for_one(tensor, runs).size() >= 2;
}

std::vector<const model::NamedTensor*> decayed_first(const model::Network& network, bool decay_all) {
    std::vector<const model::NamedTensor*> order;
    for (const auto& parameter : network.parameters()) order.push_back(&parameter);
    std::ranges::stable_partition(
        order, [&](const auto* parameter) { return decays(parameter->tensor, network.runs(), decay_all); });
    return order;
}

// (K, P) of zeros; the rows of a stack are padded.
torch::Tensor zero_rows(std::int64_t runs, std::int64_t size, const torch::TensorOptions& options) {
    if (runs == 1) return at::zeros({1, size}, options);
    const std::int64_t stride = (size + row_multiple - 1) / row_multiple * row_multiple;
    return at::zeros({runs, stride}, options).narrow(1, 0, size);
}

// The part of rows (K, P) that is one parameter: (shape), or of a stack (K, shape).
torch::Tensor part_of(const torch::Tensor& rows, std::int64_t offset, const torch::Tensor& like) {
    return rows.narrow(1, offset, like.numel() / rows.size(0)).view(like.sizes());
}

}  // namespace

FlatParameters::FlatParameters(const model::Network& network, bool half, bool decay_all) {
    const at::NoGradGuard no_grad;
    const auto order = decayed_first(network, decay_all);
    list_places(order, network.runs(), decay_all);
    const std::int64_t total = places_.back().offset + places_.back().size;
    const auto options = order.front()->tensor.options().requires_grad(false);
    masters_ = zero_rows(network.runs(), total, options);
    for (std::size_t i = 0; i < order.size(); ++i)
        part_of(masters_, places_[i].offset, order[i]->tensor).copy_(order[i]->tensor);
    working_ = masters_;
    if (half) working_ = zero_rows(network.runs(), total, options.dtype(at::kBFloat16)).copy_(masters_);
    gradients_ = zero_rows(network.runs(), total, working_.options());
    for (std::size_t i = 0; i < order.size(); ++i) {
        torch::Tensor tensor = order[i]->tensor;
        tensor.set_data(part_of(working_, places_[i].offset, tensor));
        leaves_.push_back(tensor);
    }
}

void FlatParameters::list_places(const std::vector<const model::NamedTensor*>& order, std::int64_t runs,
                                 bool decay_all) {
    std::int64_t total = 0;
    for (const auto* parameter : order) {
        const std::int64_t size = parameter->tensor.numel() / runs;
        places_.push_back({parameter->name, total, size, shape_for_one(parameter->tensor, runs)});
        total += size;
        if (decays(parameter->tensor, runs, decay_all)) decayed_ = total;
    }
}

// One copy into the flat rows at the end: adding every parameter's gradient in its place, as backward() does,
// takes an operation for each.
void FlatParameters::differentiate(const torch::Tensor& loss, bool add) {
    const auto found = torch::autograd::grad({loss}, leaves_, {}, {}, false, true);
    const at::NoGradGuard no_grad;
    std::vector<torch::Tensor> flat;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const torch::Tensor one =
            found[i].defined() ? found[i] : at::zeros(leaves_[i].sizes(), leaves_[i].options());
        flat.push_back(one.reshape({runs(), -1}));
    }
    if (add) {
        gradients_.add_(at::cat(flat, 1));
    } else {
        at::cat_out(gradients_, flat, 1);
    }
}

void FlatParameters::publish() {
    if (!working_.is_same(masters_)) working_.copy_(masters_);
}

std::vector<model::NamedTensor> FlatParameters::named(const torch::Tensor& row) const {
    std::vector<model::NamedTensor> result;
    for (const auto& [name, offset, size, shape] : places_)
        result.push_back({name, row.narrow(0, offset, size).view(shape)});
    return result;
}

}  // namespace plimsoll::train

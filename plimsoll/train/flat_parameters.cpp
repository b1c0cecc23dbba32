#include "plimsoll/train/flat_parameters.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include "plimsoll/base/check.h"

namespace plimsoll::train {
namespace {

// Rows of a stack start at multiples of this number, so that the kernels for pairs of them find them
// aligned.
constexpr std::int64_t row_multiple = 64;

// A parameter's shape for one run.
std::vector<std::int64_t> shape_for_one(const torch::Tensor& tensor, std::int64_t runs) {
    std::vector<std::int64_t> shape = tensor.sizes().vec();
    if (runs > 1) shape.erase(shape.begin());
    return shape;
}

// Numbers of the parameters in the order of a row: those that decay first, those of one scale together.
std::vector<std::size_t> row_order(const std::vector<UpdateScale>& scales) {
    std::vector<std::size_t> order(scales.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto group = [&](std::size_t k) {
        return std::pair(scales[k].decay == 0, std::ranges::find(scales, scales[k]) - scales.begin());
    };
    std::ranges::stable_sort(order, {}, group);
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

std::vector<UpdateScale> update_scales(const model::Network& network, bool decay_all,
                                       const std::vector<run::TensorScale>& scales) {
    std::vector<UpdateScale> result;
    for (std::size_t k = 0; k < network.parameters().size(); ++k) {
        const run::TensorScale scale = scales.empty() ? run::TensorScale{} : scales.at(k);
        const auto shape = shape_for_one(network.parameters()[k].tensor, network.runs());
        result.push_back({scale.rate, scale.epsilon, decay_all || shape.size() >= 2 ? scale.decay : 0});
    }
    return result;
}

FlatParameters::FlatParameters(const model::Network& network, bool half,
                               const std::vector<UpdateScale>& scales) {
    const at::NoGradGuard no_grad;
    const auto& parameters = network.parameters();
    PLIMSOLL_CHECK(scales.size() == parameters.size(), "a scale for every parameter");
    const auto order = row_order(scales);
    for (const std::size_t k : order) add_place(parameters[k], network.runs(), scales[k]);
    const std::int64_t total = places_.back().offset + places_.back().size;
    const auto options = parameters.front().tensor.options().requires_grad(false);
    masters_ = zero_rows(network.runs(), total, options);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const torch::Tensor& tensor = parameters[order[i]].tensor;
        part_of(masters_, places_[i].offset, tensor).copy_(tensor);
    }
    working_ = masters_;
    if (half) working_ = zero_rows(network.runs(), total, options.dtype(at::kBFloat16)).copy_(masters_);
    gradients_ = zero_rows(network.runs(), total, working_.options());
    for (std::size_t i = 0; i < order.size(); ++i) {
        torch::Tensor tensor = parameters[order[i]].tensor;
        tensor.set_data(part_of(working_, places_[i].offset, tensor));
        leaves_.push_back(tensor);
    }
}

void FlatParameters::add_place(const model::NamedTensor& parameter, std::int64_t runs,
                               const UpdateScale& scale) {
    const std::int64_t offset = places_.empty() ? 0 : places_.back().offset + places_.back().size;
    const std::int64_t size = parameter.tensor.numel() / runs;
    places_.push_back({parameter.name, offset, size, shape_for_one(parameter.tensor, runs)});
    if (!segments_.empty() && segments_.back().scale == scale)
        segments_.back().size += size;
    else
        segments_.push_back({offset, size, scale});
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

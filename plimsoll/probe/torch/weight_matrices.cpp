#include "plimsoll/probe/torch/weight_matrices.h"

#include <ATen/ATen.h>

#include "plimsoll/arch/tensors.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/model/init.h"

namespace plimsoll::probe {
namespace {

torch::Tensor buffer_named(const model::Network& network, const std::string& name) {
    for (const auto& [key, tensor] : network.buffers()) {
        if (key == name) return tensor;
    }
    return {};
}

bool has(const std::string& name, const char* part) { return name.find(part) != std::string::npos; }

// The number in "layers.3.block.weight".
std::int64_t layer_number(const std::string& name) {
    const auto words = split(name, '.');
    const auto number = words.size() > 1 ? parse_integer(words[1], name) : bad_input(name, "");
    return number.ok() ? *number : 0;
}

// How often the layer of a matrix repeats it (HAYASE-VEC, HAYASE-PK, NAVON-D3.1, NAVON-D3.2).
struct Copies {
    const std::string& name;

    std::int64_t operator()(const arch::MixerSpec& s) const {
        if (!name.starts_with("blocks.")) return 1;
        return has(name, ".tokens") ? s.channels : s.tokens;
    }
    std::int64_t operator()(const arch::PkSpec& s) const {
        return has(name, ".block.") ? arch::pk_blocks(s, layer_number(name) + 1) : 1;
    }
    std::int64_t operator()(const arch::SquareMixerSpec& s) const {
        return layer_number(name) % 2 == 0 ? s.cols : s.rows;
    }
    std::int64_t operator()(const arch::SquareMlpSpec& s) const { return s.cols; }
    template <class Other>
    std::int64_t operator()(const Other&) const {
        return 1;
    }
};

// Zero where a causal mixer reads nothing; undefined where nothing is masked.
torch::Tensor causal_mask(const model::Network& network, const std::string& name) {
    const auto* mixer = std::get_if<arch::MixerSpec>(&network.spec());
    if (mixer == nullptr || !mixer->causal || !has(name, ".tokens")) return {};
    if (mixer->simple) return buffer_named(network, "causal");
    return buffer_named(network, has(name, ".up.") ? "causal.up" : "causal.down");
}

// The connections of a wide sparse matrix at their cells.
torch::Tensor dense_of(const model::Network& network, const std::string& name, const torch::Tensor& values) {
    const auto& spec = std::get<arch::SwMlpSpec>(network.spec());
    const std::int64_t hidden = spec.hidden == 0 ? spec.net.width : spec.hidden;
    const bool second = name.ends_with("second.values");
    const std::int64_t rows = second ? spec.net.width : hidden, cols = second ? hidden : spec.net.width;
    const std::string stem = name.substr(0, name.size() - std::string("values").size());
    const torch::Tensor cells = buffer_named(network, stem + "cells").to(at::kCPU);
    return at::zeros({rows * cols}, at::kDouble).scatter(0, cells, values).view({rows, cols});
}

WeightMatrix matrix_of(const model::Network& network, const model::NamedTensor& parameter,
                       const std::string& init) {
    const arch::TensorShape shape{parameter.name, parameter.tensor.sizes().vec()};
    const double prefactor = model::matrix_prefactor(shape, network.spec(), init);
    torch::Tensor values = parameter.tensor.detach().to(at::kCPU, at::kDouble) * prefactor;
    WeightMatrix result{parameter.name, {}, std::visit(Copies{parameter.name}, network.spec()), 1};
    if (values.dim() == 1) {
        const auto connections = static_cast<double>(values.numel());
        values = dense_of(network, parameter.name, values);
        result.density = connections / static_cast<double>(values.numel());
    }
    if (const torch::Tensor mask = causal_mask(network, parameter.name); mask.defined()) {
        values = values * mask.to(at::kCPU);
        result.density = mask.mean().item<double>();
    }
    result.values = (values.dim() == 2 ? values.unsqueeze(0) : values).contiguous();
    return result;
}

bool is_matrix(const model::NamedTensor& parameter) {
    const torch::Tensor& tensor = parameter.tensor;
    if (tensor.dim() == 1) return parameter.name.ends_with(".values");
    return tensor.dim() <= 3 && tensor.size(-1) > 1 && tensor.size(-2) > 1;
}

}  // namespace

std::vector<WeightMatrix> weight_matrices(const model::Network& network, const std::string& init,
                                          const std::string& only) {
    std::vector<WeightMatrix> matrices;
    for (const auto& parameter : network.parameters()) {
        if (!is_matrix(parameter) || parameter.name.find(only) == std::string::npos) continue;
        matrices.push_back(matrix_of(network, parameter, init));
    }
    return matrices;
}

}  // namespace plimsoll::probe

#include "plimsoll/model/builder.h"

#include <ATen/ATen.h>

#include "plimsoll/arch/tensors.h"
#include "plimsoll/base/check.h"
#include "plimsoll/model/init.h"

namespace plimsoll::model {
namespace {

// Of tensor k of the list: one start for each run, side by side.
Tensor first_values(const std::vector<arch::TensorShape>& shapes, std::size_t k, const arch::ArchSpec& spec,
                    const std::string& init, const BuildOptions& options) {
    std::vector<Tensor> values;
    for (const std::uint64_t seed : options.init_seeds)
        values.push_back(initial_values(shapes, k, spec, init, options.scaling, seed));
    return values.size() == 1 ? values.front() : at::stack(values);
}

}  // namespace

Builder::Builder(const arch::ArchSpec& spec, const BuildOptions& options, const std::string& init)
    : options_(options) {
    const auto shapes = arch::tensors(spec);
    for (std::size_t k = 0; k < shapes.size(); ++k) {
        const Tensor values = first_values(shapes, k, spec, init, options);
        index_[shapes[k].name] = k;
        parameters.push_back({shapes[k].name, values.to(options.device, options.dtype).requires_grad_(true)});
        prefactors_.push_back(matrix_prefactor(shapes[k], spec, init) * options.scaling.of(k).use);
    }
}

Tensor Builder::optional(const std::string& name) {
    const auto found = index_.find(name);
    if (found == index_.end()) return {};
    used_.insert(name);
    return parameters[found->second].tensor;
}

Tensor Builder::tensor(const std::string& name) {
    Tensor found = optional(name);
    PLIMSOLL_CHECK(found.defined(), "arch::tensors lists no " + name);
    return found;
}

Matrix Builder::matrix(const std::string& name) {
    Tensor stored = tensor(name);
    return {std::move(stored), prefactors_[index_.at(name)]};
}

Linear Builder::linear(const std::string& name) {
    return {matrix(name + ".weight"), optional(name + ".bias")};
}

NormLayer Builder::norm(const std::string& name, arch::Norm kind) {
    Tensor weight = optional(name + ".weight");
    if (!weight.defined()) return {};
    return {kind, std::move(weight), optional(name + ".bias")};
}

Tensor Builder::buffer(std::string name, Tensor value) {
    const bool numbers = at::isFloatingType(value.scalar_type());
    value = value.to(options_.device, numbers ? options_.dtype : value.scalar_type());
    buffers.push_back({std::move(name), value});
    return value;
}

std::pair<Tensor, Tensor> Builder::permutation(const std::string& name, const Images& images) {
    const Tensor inverse = at::tensor(inverse_images(images), at::kLong).to(options_.device);
    return {buffer(name, at::tensor(images, at::kLong)), inverse};
}

std::vector<std::string> Builder::unused() const {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : parameters) {
        if (!used_.contains(name)) names.push_back(name);
    }
    return names;
}

}  // namespace plimsoll::model

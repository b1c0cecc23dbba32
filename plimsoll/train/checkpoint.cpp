#include "plimsoll/train/checkpoint.h"

#include <cstring>
#include <memory>

#include <ATen/ATen.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/formats/safetensors/safetensors.h"

namespace plimsoll::train {
namespace {

using formats::Dtype;

Dtype dtype_of(const torch::Tensor& tensor) {
    switch (tensor.scalar_type()) {
        case at::kFloat:
            return Dtype::f32;
        case at::kDouble:
            return Dtype::f64;
        case at::kLong:
            return Dtype::i64;
        default:
            PLIMSOLL_CHECK(false, "a tensor of this type is not stored");
    }
    return Dtype::f32;
}

std::vector<std::uint64_t> shape_of(const torch::Tensor& tensor) {
    return {tensor.sizes().begin(), tensor.sizes().end()};
}

// Copies on the host, made now: training may go on while the files are written.
store::FileWriter writer_of(const std::vector<model::NamedTensor>& tensors) {
    std::vector<model::NamedTensor> copies;
    for (const auto& [name, tensor] : tensors) {
        copies.push_back(
            {name, tensor.detach().to(at::kCPU, tensor.scalar_type(), false, true).contiguous()});
    }
    return [copies = std::move(copies)](const std::filesystem::path& path) {
        std::vector<formats::TensorData> data;
        for (const auto& [name, tensor] : copies) {
            const auto* bytes = static_cast<const std::byte*>(tensor.data_ptr());
            data.push_back({name, dtype_of(tensor), shape_of(tensor), {bytes, tensor.nbytes()}});
        }
        return formats::write_safetensors(path, data, Json{{"format", "pt"}});
    };
}

Status restore_one(const formats::TensorTable& table, std::span<const std::byte> file,
                   const model::NamedTensor& place, const std::string& where) {
    const auto* info = table.find(place.name);
    if (info == nullptr) return bad_input(where, fmt::format("has no tensor '{}'", place.name));
    if (info->dtype != dtype_of(place.tensor) || info->shape != shape_of(place.tensor)) {
        return bad_input(where, fmt::format("'{}' has another type or shape than the network", place.name));
    }
    torch::Tensor host = at::empty(place.tensor.sizes(), place.tensor.scalar_type());
    std::memcpy(host.data_ptr(), file.data() + info->begin, info->bytes);
    const at::NoGradGuard no_grad;
    torch::Tensor target = place.tensor;
    target.copy_(host);
    return {};
}

}  // namespace

std::vector<store::CheckpointFile> checkpoint_files(const std::vector<model::NamedTensor>& weights,
                                                    const std::vector<model::NamedTensor>& optimizer) {
    return {{"weights.safetensors", writer_of(weights)}, {"optimizer.safetensors", writer_of(optimizer)}};
}

Status restore(const std::filesystem::path& file, const std::vector<model::NamedTensor>& places) {
    PLIMSOLL_ASSIGN(table, formats::read_safetensors(file));
    PLIMSOLL_ASSIGN(mapped, MappedFile::open(file));
    for (const auto& place : places) {
        PLIMSOLL_RETURN_IF_ERROR(restore_one(table, mapped.bytes(), place, file.string()));
    }
    return {};
}

}  // namespace plimsoll::train

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

// A file of tensors whose names, types and shapes are those of the places that wait for them.
class CheckedTensors {
  public:
    static Result<CheckedTensors> open(const std::filesystem::path& file,
                                       const std::vector<model::NamedTensor>& places) {
        PLIMSOLL_ASSIGN(table, formats::read_safetensors(file));
        PLIMSOLL_ASSIGN(mapped, MappedFile::open(file));
        for (const auto& place : places) PLIMSOLL_RETURN_IF_ERROR(check(table, place, file.string()));
        return CheckedTensors(std::move(table), std::move(mapped), places);
    }

    void copy() const {
        const at::NoGradGuard no_grad;
        for (const auto& place : places_) {
            const auto* info = table_.find(place.name);
            torch::Tensor host = at::empty(place.tensor.sizes(), place.tensor.scalar_type());
            std::memcpy(host.data_ptr(), file_.bytes().data() + info->begin, info->bytes);
            torch::Tensor target = place.tensor;
            target.copy_(host);
        }
    }

  private:
    CheckedTensors(formats::TensorTable table, MappedFile file, std::vector<model::NamedTensor> places)
        : table_(std::move(table)), file_(std::move(file)), places_(std::move(places)) {}

    static Status check(const formats::TensorTable& table, const model::NamedTensor& place,
                        const std::string& where) {
        const auto* info = table.find(place.name);
        if (info == nullptr) return bad_input(where, fmt::format("has no tensor '{}'", place.name));
        if (info->dtype == dtype_of(place.tensor) && info->shape == shape_of(place.tensor)) return {};
        return bad_input(where, fmt::format("'{}' has another type or shape than the network", place.name));
    }

    formats::TensorTable table_;
    MappedFile file_;
    std::vector<model::NamedTensor> places_;
};

}  // namespace

std::vector<store::CheckpointFile> checkpoint_files(const std::vector<model::NamedTensor>& weights,
                                                    const std::vector<model::NamedTensor>& optimizer) {
    return {{"weights.safetensors", writer_of(weights)}, {"optimizer.safetensors", writer_of(optimizer)}};
}

Status restore(const std::filesystem::path& file, const std::vector<model::NamedTensor>& places) {
    PLIMSOLL_ASSIGN(tensors, CheckedTensors::open(file, places));
    tensors.copy();
    return {};
}

Status restore_checkpoint(const std::filesystem::path& folder, const std::vector<model::NamedTensor>& weights,
                          const std::vector<model::NamedTensor>& optimizer) {
    PLIMSOLL_ASSIGN(of_weights, CheckedTensors::open(folder / "weights.safetensors", weights));
    PLIMSOLL_ASSIGN(of_optimizer, CheckedTensors::open(folder / "optimizer.safetensors", optimizer));
    of_weights.copy();
    of_optimizer.copy();
    return {};
}

}  // namespace plimsoll::train

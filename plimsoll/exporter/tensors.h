#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/base/files.h"
#include "plimsoll/exporter/stock.h"
#include "plimsoll/formats/tensor_table.h"

// The weights of a checkpoint under the names and in the layout of a stock class.
namespace plimsoll::exporter {

// One tensor of the stock class: the rows of `sources`, one after the other, behind `zero_rows` rows of
// zeros.
struct StockTensor {
    std::string name;
    std::vector<std::uint64_t> shape;  // outermost first
    std::vector<std::string> sources;  // our names
    std::uint64_t zero_rows = 0;
    bool transposed = false;  // the matrix of those rows is stored column by column

    bool operator==(const StockTensor&) const = default;
};

// Every tensor of the stock class for a spec that fits it; each tensor of arch::tensors(spec) is a source of
// exactly one.
std::vector<StockTensor> stock_tensors(StockClass stock, const arch::ArchSpec& spec);

// The weights of a checkpoint, mapped.
class Weights {
  public:
    // Opens weights.safetensors and checks that it holds the tensors of the spec, all of one type (fp32 or
    // fp64); the error names the one that is missing or has another shape.
    static Result<Weights> open(const std::filesystem::path& file, const arch::ArchSpec& spec);

    [[nodiscard]] formats::Dtype dtype() const { return dtype_; }
    // Multiplies the tensors of stock classes from now on, one number for each tensor of the spec.
    void multiply(std::vector<double> multipliers) { multipliers_ = std::move(multipliers); }
    // The tensors of the network as they are, in the order of arch::tensors(spec). They point into this.
    [[nodiscard]] std::vector<formats::TensorData> plain() const;
    // The bytes of a tensor of a stock class where they are those of one of ours, in this; else nothing.
    [[nodiscard]] std::optional<std::span<const std::byte>> stored(const StockTensor& tensor) const;
    // The bytes of a tensor of a stock class, put together.
    [[nodiscard]] std::vector<std::byte> arranged(const StockTensor& tensor) const;

  private:
    Weights(MappedFile file, std::vector<formats::TensorInfo> tensors);
    [[nodiscard]] std::span<const std::byte> bytes_of(const formats::TensorInfo& tensor) const;
    [[nodiscard]] const formats::TensorInfo& tensor_named(const std::string& name) const;
    [[nodiscard]] double multiplier_of(const formats::TensorInfo& tensor) const;  // one of tensors_
    [[nodiscard]] std::vector<std::byte> joined(const StockTensor& tensor) const;

    MappedFile file_;
    std::vector<formats::TensorInfo> tensors_;  // in the order of arch::tensors
    std::vector<double> multipliers_;
    formats::Dtype dtype_ = formats::Dtype::f32;
};

}  // namespace plimsoll::exporter

#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/formats/dtype.h"

namespace plimsoll::formats {

// One tensor of a model file as its header describes it; nothing of its data has been read.
struct TensorInfo {
    std::string name;
    Dtype dtype = Dtype::f32;
    std::vector<std::uint64_t> shape;  // outermost first, whatever the file's own order
    std::uint64_t elements = 0;        // product of the shape, checked
    std::uint64_t begin = 0;           // first byte in the file
    std::uint64_t bytes = 0;
    std::size_t file = 0;         // index into TensorTable::files
    std::uint32_t ggml_type = 0;  // id of the block type (ggml_types.h), where dtype is ggml_block

    bool operator==(const TensorInfo&) const = default;
};

// The element type by the file's own name: "BF16", "Q4_K".
std::string_view type_name(const TensorInfo& tensor);

// A tensor to be written.
struct TensorData {
    std::string name;
    Dtype dtype = Dtype::f32;
    std::vector<std::uint64_t> shape;  // outermost first
    std::span<const std::byte> bytes;
    std::uint32_t ggml_type = 0;
};

// The headers of a model's files: every tensor, checked against the size of its file.
struct TensorTable {
    std::vector<std::filesystem::path> files;
    std::vector<TensorInfo> tensors;   // by file, then by offset
    Json metadata = Json::object();    // string to string (safetensors) or the typed keys of a GGUF
    std::vector<std::string> remarks;  // what is odd about the files, though not refused; one sentence each

    // The tensor of that name, or null.
    [[nodiscard]] const TensorInfo* find(std::string_view name) const;
    // Elements of all tensors.
    [[nodiscard]] std::uint64_t elements() const;
};

}  // namespace plimsoll::formats

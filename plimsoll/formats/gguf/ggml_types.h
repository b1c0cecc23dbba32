#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "plimsoll/formats/dtype.h"

namespace plimsoll::formats {

// An element type of GGUF: `block_elements` neighbours of a row share `block_bytes` bytes.
struct GgmlType {
    std::uint32_t id;
    std::string_view name;
    std::uint64_t block_elements;
    std::uint64_t block_bytes;
    Dtype dtype;  // ggml_block for the quantised ones
};

// Every type that ggml writes or has written, by id.
std::span<const GgmlType> ggml_types();

// The type of that id, or null.
const GgmlType* ggml_type(std::uint32_t id);

}  // namespace plimsoll::formats

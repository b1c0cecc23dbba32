#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/formats/gguf/gguf_value.h"
#include "plimsoll/formats/tensor_table.h"

namespace plimsoll::formats {

// The most bytes that keys, values and tensor descriptions may take; GPT-2's vocabulary and merges take 1.8
// million.
constexpr std::uint64_t max_gguf_header = 100'000'000;
constexpr std::uint64_t default_gguf_alignment = 32;

// A key and its value, under the name and type it has in the file.
struct GgufKey {
    std::string name;
    GgufValue value;

    bool operator==(const GgufKey&) const = default;
};

// The head of a GGUF file. table.metadata holds the same keys as JSON: values of more than 1024 elements or
// 65,536 bytes as {"type": "string", "count": 50257} or {"type": "string", "bytes": 70000}.
struct GgufFile {
    std::uint32_t version = 3;
    std::uint64_t alignment = default_gguf_alignment;
    std::vector<GgufKey> keys;  // in the order of the file
    TensorTable table;          // shapes outermost first, though the file has the innermost first

    // The value of that key, or null.
    [[nodiscard]] const GgufValue* find(std::string_view key) const;
};

// The head of a little-endian GGUF file of version 2 or 3; the file is mapped and none of its data is
// touched. A part of a split model is read as it is, with a remark. docs/FORMATS.md lists the checks.
Result<GgufFile> read_gguf(const std::filesystem::path& path);

// The same from memory: `bytes` are the first of a file of `file_size` bytes and hold its head at least.
Result<GgufFile> parse_gguf(std::span<const std::byte> bytes, std::uint64_t file_size,
                            std::string_view where);

}  // namespace plimsoll::formats

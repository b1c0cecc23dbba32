#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "plimsoll/base/result.h"
#include "plimsoll/formats/tensor_table.h"

namespace plimsoll::formats {

// The largest header read, that of the reference reader.
constexpr std::uint64_t max_safetensors_header = 100'000'000;

// The tensors of a .safetensors file by its header; the file is mapped and none of its data is touched.
// docs/FORMATS.md lists the checks.
Result<TensorTable> read_safetensors(const std::filesystem::path& path);

// The same from memory: `bytes` are the first of a file of `file_size` bytes and hold its header at least.
// `where` names the file in errors; the table lists it as its one file.
Result<TensorTable> parse_safetensors(std::span<const std::byte> bytes, std::uint64_t file_size,
                                      std::string_view where);

// The bytes before the data of a file that holds `tensors` in the given order: length, JSON, spaces up to a
// multiple of 8. Refuses what parse_safetensors() would refuse. `metadata` maps strings to strings.
Result<std::string> safetensors_header(std::span<const TensorData> tensors, const Json& metadata);

// Writes header and data; readers see the old file or the new, never a part.
Status write_safetensors(const std::filesystem::path& path, std::span<const TensorData> tensors,
                         const Json& metadata);

}  // namespace plimsoll::formats

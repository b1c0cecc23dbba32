#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "plimsoll/base/result.h"
#include "plimsoll/formats/gguf/ggml_types.h"
#include "plimsoll/formats/gguf/gguf.h"

// A writer of GGUF files: the tests write what the product reads.
namespace plimsoll::testing {

// Values to be written.
formats::GgufValue gguf_u32(std::uint32_t value);
formats::GgufValue gguf_u64(std::uint64_t value);
formats::GgufValue gguf_f32(float value);
formats::GgufValue gguf_bool(bool value);
formats::GgufValue gguf_text(std::string_view value);
formats::GgufValue gguf_u32s(std::span<const std::uint32_t> values);
formats::GgufValue gguf_texts(std::span<const std::string> values);

// The type that stores `dtype` element by element, or null; ggml has no boolean and nothing unsigned.
const formats::GgmlType* ggml_type_of(formats::Dtype dtype);

// The bytes before the data of a version 3 file that holds `tensors` in the given order, padded to the
// alignment that the keys state (32 otherwise). Refuses what parse_gguf() would refuse.
Result<std::string> gguf_header(std::span<const formats::GgufKey> keys,
                                std::span<const formats::TensorData> tensors);

// Zero bytes that follow `bytes` bytes of data in a file with these keys.
std::uint64_t gguf_padding(std::uint64_t bytes, std::span<const formats::GgufKey> keys);

// Writes head and data; readers see the old file or the new, never a part.
Status write_gguf(const std::filesystem::path& path, std::span<const formats::GgufKey> keys,
                  std::span<const formats::TensorData> tensors);

}  // namespace plimsoll::testing

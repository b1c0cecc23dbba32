#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "plimsoll/base/result.h"

namespace plimsoll::formats {

// Element types of safetensors and of GGUF; the ggml block types hold several elements in one block of bytes.
enum class Dtype : std::uint8_t {
    boolean,
    f4,
    f6_e2m3,
    f6_e3m2,
    u8,
    i8,
    f8_e5m2,
    f8_e4m3,
    f8_e8m0,
    f8_e4m3fnuz,
    f8_e5m2fnuz,
    i16,
    u16,
    f16,
    bf16,
    i32,
    u32,
    f32,
    c64,
    f64,
    i64,
    u64,
    ggml_block,
};

// Name as safetensors writes it ("BF16"); "GGML" for the block types.
std::string_view name_of(Dtype dtype);

// The dtype of a safetensors name, or nothing.
std::optional<Dtype> dtype_from_name(std::string_view name);

// Bits of one element; 0 for ggml_block, whose size depends on the block type.
int bits_of(Dtype dtype);

// True where decode() can make floats of it: F64, F32, F16, BF16 and the F8 kinds.
bool is_decodable(Dtype dtype);

// Writes the little-endian elements of `bytes` as floats; sizes must match, the dtype must be decodable.
Status decode(Dtype dtype, std::span<const std::byte> bytes, std::span<float> out);

}  // namespace plimsoll::formats

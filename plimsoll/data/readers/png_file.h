#pragma once

#include <cstdint>
#include <span>

#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

// The shape in the head of a PNG file, held against what its bytes could unpack to.
Result<ImageShape> png_shape(const LoadedFile& file);

// Writes the pixels (H, W, C) of a PNG file of that shape.
Status decode_png(const LoadedFile& file, const ImageShape& shape, std::span<std::uint8_t> pixels);

}  // namespace plimsoll::data

#pragma once

#include <cstdint>
#include <span>

#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

// The shape in the head of a JPEG file.
Result<ImageShape> jpeg_shape(const LoadedFile& file);

// Writes the pixels (H, W, C) of a JPEG file of that shape; a file that libjpeg can only read with a warning
// (cut short, corrupt) is refused.
Status decode_jpeg(const LoadedFile& file, const ImageShape& shape, std::span<std::uint8_t> pixels);

}  // namespace plimsoll::data

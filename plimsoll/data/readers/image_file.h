#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/data/dataset.h"
#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

enum class ImageFormat { none, png, jpeg };

// What the first bytes of a file say it is.
ImageFormat image_format_of(std::span<const std::uint8_t> first_bytes);

// The shape that the head of a PNG or JPEG file states: 1 channel when it is grey, otherwise 3. Refused when
// it states more than 2^28 bytes, or for a PNG more than its bytes could unpack to.
Result<ImageShape> image_shape(const LoadedFile& file);

// Writes the pixels (C, H, W), 8 bits each, of the shape that the head stated; grey becomes three equal
// channels when `shape` has 3. Transparent places are shown before black.
Status decode_image(const LoadedFile& file, const ImageShape& shape, std::span<std::uint8_t> pixels);

// A PNG file of interleaved pixels (H, W, C) with 1 or 3 channels.
Result<std::string> encode_png(std::span<const std::uint8_t> pixels, const ImageShape& shape);

}  // namespace plimsoll::data

#pragma once

#include <cstdint>
#include <span>

#include "plimsoll/data/dataset.h"

namespace plimsoll::data {

// MATLAB's images have their planes column by column: turns each plane of `pixels` (any number of planes of
// shape.height x shape.width, which must be equal) into rows, in place.
void planes_to_rows(std::span<std::uint8_t> pixels, const ImageShape& shape);

}  // namespace plimsoll::data

#pragma once

#include <cstdint>
#include <span>

#include "plimsoll/data/dataset.h"

namespace plimsoll::data {

// Pixels (C, H, W) of shape `from` as those of shape `to` with as many channels: bilinear, and over as many
// pixels as fall on one where the image becomes smaller, so that every pixel counts.
void resize(std::span<const std::uint8_t> pixels, const ImageShape& from, std::span<std::uint8_t> out,
            const ImageShape& to);

}  // namespace plimsoll::data

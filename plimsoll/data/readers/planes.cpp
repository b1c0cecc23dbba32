#include "plimsoll/data/readers/planes.h"

#include <utility>

namespace plimsoll::data {

void planes_to_rows(std::span<std::uint8_t> pixels, const ImageShape& shape) {
    const std::size_t side = shape.height, plane = side * side;
    PLIMSOLL_CHECK(shape.width == side && pixels.size() % plane == 0, "whole square planes");
    for (std::uint8_t* at = pixels.data(); at != pixels.data() + pixels.size(); at += plane)
        for (std::size_t row = 0; row < side; ++row)
            for (std::size_t col = row + 1; col < side; ++col)
                std::swap(at[row * side + col], at[col * side + row]);
}

}  // namespace plimsoll::data

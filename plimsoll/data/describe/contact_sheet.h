#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/data/dataset.h"

namespace plimsoll::data {

// A picture (H, W, C), interleaved, with a row of samples for each of the first classes, or the first images
// row by row when there are no labels. Image (row, column) has its upper left pixel at gap + row * (height *
// scale + gap), columns alike; each pixel is a square of scale x scale.
struct ContactSheet {
    ImageShape shape;  // of the picture
    std::vector<std::uint8_t> pixels;
    std::size_t scale = 1, gap = 2;
    std::vector<std::vector<std::size_t>> samples;  // index into the first split, by row and column
};

// Samples of the first split, the first ones of each class: at most 20 rows of 10. Two-channel images and
// those with more than 3 are `unsupported`.
Result<ContactSheet> make_contact_sheet(const Images& images);

// The sheet as a PNG file.
Result<std::string> contact_sheet_png(const Images& images);

}  // namespace plimsoll::data

#include "plimsoll/data/describe/contact_sheet.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/data/readers/image_file.h"

namespace plimsoll::data {
namespace {

constexpr std::size_t most_rows = 20, most_columns = 10, readable_side = 64;
constexpr std::uint8_t between = 128;  // grey shows beside black and beside white

std::vector<std::vector<std::size_t>> by_class(const ImageSplit& split, std::size_t classes) {
    std::vector<std::vector<std::size_t>> rows(std::min(classes, most_rows));
    for (std::size_t i = 0; i < split.count(); ++i) {
        const std::size_t label = split.labels[i];
        if (label < rows.size() && rows[label].size() < most_columns) rows[label].push_back(i);
    }
    return rows;
}

std::vector<std::vector<std::size_t>> in_order(const ImageSplit& split) {
    std::vector<std::vector<std::size_t>> rows;
    for (std::size_t i = 0; i < std::min(split.count(), most_columns * most_columns); ++i) {
        if (i % most_columns == 0) rows.emplace_back();
        rows.back().push_back(i);
    }
    return rows;
}

// Draws one image (C, H, W) with its corner at (top, left).
void draw(std::span<const std::uint8_t> image, const ImageShape& shape, std::size_t top, std::size_t left,
          ContactSheet& sheet) {
    const std::size_t channels = shape.channels, plane = shape.height * shape.width;
    for (std::size_t y = 0; y < shape.height * sheet.scale; ++y) {
        for (std::size_t x = 0; x < shape.width * sheet.scale; ++x) {
            const std::size_t from = y / sheet.scale * shape.width + x / sheet.scale;
            const std::size_t to = ((top + y) * sheet.shape.width + left + x) * channels;
            for (std::size_t c = 0; c < channels; ++c) sheet.pixels[to + c] = image[c * plane + from];
        }
    }
}

}  // namespace

Result<ContactSheet> make_contact_sheet(const Images& images) {
    const ImageShape& shape = images.shape;
    if (shape.channels != 1 && shape.channels != 3)
        return unsupported("contact sheet", fmt::format("images with {} channels", shape.channels));
    if (images.splits.empty() || images.splits[0].count() == 0)
        return bad_input("contact sheet", "there are no images");
    const ImageSplit& split = images.splits[0];
    ContactSheet sheet;
    sheet.samples = split.labels.empty() ? in_order(split) : by_class(split, images.class_names.size());
    sheet.scale = std::max<std::size_t>(1, readable_side / std::max(shape.height, shape.width));
    std::size_t columns = 0;
    for (const auto& row : sheet.samples) columns = std::max(columns, row.size());
    const std::size_t high = shape.height * sheet.scale + sheet.gap,
                      wide = shape.width * sheet.scale + sheet.gap;
    sheet.shape = {shape.channels, sheet.gap + sheet.samples.size() * high, sheet.gap + columns * wide};
    sheet.pixels.assign(sheet.shape.bytes(), between);
    for (std::size_t row = 0; row < sheet.samples.size(); ++row)
        for (std::size_t column = 0; column < sheet.samples[row].size(); ++column)
            draw(split.pixels(sheet.samples[row][column], shape), shape, sheet.gap + row * high,
                 sheet.gap + column * wide, sheet);
    return sheet;
}

Result<std::string> contact_sheet_png(const Images& images) {
    PLIMSOLL_ASSIGN(sheet, make_contact_sheet(images));
    return encode_png(sheet.pixels, sheet.shape);
}

}  // namespace plimsoll::data

#include "plimsoll/data/readers/image_file.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/data/readers/jpeg_file.h"
#include "plimsoll/data/readers/png_file.h"

namespace plimsoll::data {
namespace {

constexpr std::uint64_t most_image_bytes = std::uint64_t{1} << 28;

// (H, W, c) to (C, H, W), where c is C, or 1 and repeated.
void to_planes(std::span<const std::uint8_t> interleaved, std::size_t stored, const ImageShape& shape,
               std::span<std::uint8_t> planes) {
    const std::size_t places = shape.height * shape.width;
    for (std::size_t c = 0; c < shape.channels; ++c)
        for (std::size_t i = 0; i < places; ++i)
            planes[c * places + i] = interleaved[i * stored + std::min(c, stored - 1)];
}

}  // namespace

ImageFormat image_format_of(std::span<const std::uint8_t> first) {
    constexpr std::array<std::uint8_t, 8> png{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    constexpr std::array<std::uint8_t, 3> jpeg{0xff, 0xd8, 0xff};
    const auto starts = [first](const auto& magic) {
        return first.size() >= magic.size() && std::equal(magic.begin(), magic.end(), first.begin());
    };
    if (starts(png)) return ImageFormat::png;
    return starts(jpeg) ? ImageFormat::jpeg : ImageFormat::none;
}

Result<ImageShape> image_shape(const LoadedFile& file) {
    const ImageFormat format = image_format_of(file.bytes.view());
    if (format == ImageFormat::none) return bad_input(file.name, "byte 0: neither a PNG nor a JPEG file");
    PLIMSOLL_ASSIGN(shape, format == ImageFormat::png ? png_shape(file) : jpeg_shape(file));
    if (std::uint64_t{shape.height} * shape.width > most_image_bytes / shape.channels)
        return bad_input(file.name, fmt::format("states {} x {} pixels; {} bytes are the most for one image",
                                                shape.height, shape.width, most_image_bytes));
    return shape;
}

Status decode_image(const LoadedFile& file, const ImageShape& shape, std::span<std::uint8_t> pixels) {
    PLIMSOLL_CHECK(pixels.size() == shape.bytes(), "room for exactly one image");
    PLIMSOLL_ASSIGN(own, image_shape(file));
    if (own.height != shape.height || own.width != shape.width || own.channels > shape.channels)
        return bad_input(file.name, fmt::format("is {} x {}, not {} x {}", own.height, own.width,
                                                shape.height, shape.width));
    std::vector<std::uint8_t> interleaved(own.bytes());
    PLIMSOLL_RETURN_IF_ERROR(image_format_of(file.bytes.view()) == ImageFormat::png
                                 ? decode_png(file, own, interleaved)
                                 : decode_jpeg(file, own, interleaved));
    to_planes(interleaved, own.channels, shape, pixels);
    return {};
}

}  // namespace plimsoll::data

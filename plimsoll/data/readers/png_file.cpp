#include "plimsoll/data/readers/png_file.h"

#include <png.h>

#include "plimsoll/base/format.h"
#include "plimsoll/data/readers/image_file.h"

namespace plimsoll::data {
namespace {

// libpng's simple interface: its errors come back as a message and never jump into us.
class Png {
  public:
    Png() { image_.version = PNG_IMAGE_VERSION; }
    ~Png() { png_image_free(&image_); }
    Png(const Png&) = delete;
    Png& operator=(const Png&) = delete;

    Status begin(const LoadedFile& file) {
        if (png_image_begin_read_from_memory(&image_, file.bytes.view().data(), file.bytes.size()) == 0)
            return damaged(file);
        return {};
    }
    Status finish(const LoadedFile& file, const ImageShape& shape, std::span<std::uint8_t> pixels) {
        image_.format = shape.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
        const png_color black{0, 0, 0};
        if (png_image_finish_read(&image_, &black, pixels.data(), 0, nullptr) == 0 || warned())
            return damaged(file);
        return {};
    }
    [[nodiscard]] ImageShape shape() const {
        return {(image_.format & PNG_FORMAT_FLAG_COLOR) != 0 ? 3U : 1U, image_.height, image_.width};
    }

  private:
    // A bad checksum in an unimportant chunk is only a warning of libpng; for us the file is damaged.
    [[nodiscard]] bool warned() const { return PNG_IMAGE_FAILED(image_) || image_.warning_or_error != 0; }
    [[nodiscard]] Error damaged(const LoadedFile& file) const {
        return bad_input(file.name,
                         fmt::format("damaged PNG of {} bytes: {}", file.bytes.size(), image_.message));
    }
    png_image image_{};
};

}  // namespace

Result<ImageShape> png_shape(const LoadedFile& file) {
    Png png;
    PLIMSOLL_RETURN_IF_ERROR(png.begin(file));
    const ImageShape shape = png.shape();
    // Deflate makes at most 1032 bytes of one, and a byte holds at most 8 pixels.
    constexpr std::uint64_t most_pixels_of_a_byte = 1032 * 8;
    if (std::uint64_t{shape.height} * shape.width > most_pixels_of_a_byte * file.bytes.size())
        return bad_input(file.name,
                         fmt::format("byte 16: states {} x {} pixels, more than its {} bytes could unpack to",
                                     shape.height, shape.width, file.bytes.size()));
    return shape;
}

Status decode_png(const LoadedFile& file, const ImageShape& shape, std::span<std::uint8_t> pixels) {
    Png png;
    PLIMSOLL_RETURN_IF_ERROR(png.begin(file));
    return png.finish(file, shape, pixels);
}

Result<std::string> encode_png(std::span<const std::uint8_t> pixels, const ImageShape& shape) {
    PLIMSOLL_CHECK(pixels.size() == shape.bytes() && (shape.channels == 1 || shape.channels == 3),
                   "pixels (H, W, C)");
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.height = static_cast<png_uint_32>(shape.height);
    image.width = static_cast<png_uint_32>(shape.width);
    image.format = shape.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    png_alloc_size_t size = 0;
    std::string file;
    if (png_image_write_get_memory_size(image, size, 0, pixels.data(), 0, nullptr) != 0) {
        file.resize(size);
        if (png_image_write_to_memory(&image, file.data(), &size, 0, pixels.data(), 0, nullptr) != 0) {
            file.resize(size);
            return file;
        }
    }
    return unsupported("PNG", fmt::format("{} x {} pixels: {}", shape.height, shape.width, image.message));
}

}  // namespace plimsoll::data

#include "plimsoll/data/readers/jpeg_file.h"

#include <csetjmp>
#include <cstdio>  // jpeglib.h wants it first

#include <jpeglib.h>

#include "plimsoll/base/format.h"

namespace plimsoll::data {
namespace {

// One decoder and where libjpeg jumps to when it gives up. Plain data: the jump crosses no destructor.
struct Decoder {
    jpeg_decompress_struct info;
    jpeg_error_mgr errors;
    std::jmp_buf give_up;
    char message[JMSG_LENGTH_MAX];
};

void fail(j_common_ptr info) {
    auto* decoder = static_cast<Decoder*>(info->client_data);
    info->err->format_message(info, decoder->message);
    std::longjmp(decoder->give_up, 1);
}
// Warnings (negative levels) end the decoding too; traces are dropped.
void note(j_common_ptr info, int level) {
    if (level < 0) fail(info);
}

void prepare(Decoder& decoder, std::span<const std::uint8_t> bytes) {
    decoder.info.err = jpeg_std_error(&decoder.errors);
    decoder.errors.error_exit = fail;
    decoder.errors.emit_message = note;
    decoder.info.client_data = &decoder;
    jpeg_create_decompress(&decoder.info);
    decoder.info.client_data = &decoder;
    jpeg_mem_src(&decoder.info, bytes.data(), bytes.size());
    jpeg_read_header(&decoder.info, TRUE);
    decoder.info.out_color_space = decoder.info.jpeg_color_space == JCS_GRAYSCALE ? JCS_GRAYSCALE : JCS_RGB;
}

// False when libjpeg gave up; no object with a destructor may live in these two.
bool read_head(Decoder& decoder, std::span<const std::uint8_t> bytes) {
    if (setjmp(decoder.give_up) != 0) return false;
    prepare(decoder, bytes);
    return true;
}
bool read_pixels(Decoder& decoder, std::span<const std::uint8_t> bytes, const ImageShape& shape,
                 std::uint8_t* pixels) {
    if (setjmp(decoder.give_up) != 0) return false;
    prepare(decoder, bytes);
    jpeg_start_decompress(&decoder.info);
    while (decoder.info.output_scanline < decoder.info.output_height) {
        JSAMPROW row = pixels + std::size_t{decoder.info.output_scanline} * shape.width * shape.channels;
        jpeg_read_scanlines(&decoder.info, &row, 1);
    }
    jpeg_finish_decompress(&decoder.info);
    return true;
}

// Runs one of the two and gives back what libjpeg took.
template <class Read>
Status with_decoder(const LoadedFile& file, Read read) {
    Decoder decoder{};
    const bool whole = read(decoder);
    const std::size_t left = decoder.info.src != nullptr ? decoder.info.src->bytes_in_buffer : 0;
    jpeg_destroy_decompress(&decoder.info);
    if (whole) return {};
    const std::size_t size = file.bytes.size();
    return bad_input(file.name, fmt::format("damaged JPEG near byte {} of {}: {}",
                                            left < size ? size - left : size, size, decoder.message));
}

}  // namespace

Result<ImageShape> jpeg_shape(const LoadedFile& file) {
    ImageShape shape;
    PLIMSOLL_RETURN_IF_ERROR(with_decoder(file, [&](Decoder& decoder) {
        if (!read_head(decoder, file.bytes.view())) return false;
        shape = {decoder.info.out_color_space == JCS_GRAYSCALE ? 1U : 3U, decoder.info.image_height,
                 decoder.info.image_width};
        return true;
    }));
    return shape;
}

Status decode_jpeg(const LoadedFile& file, const ImageShape& shape, std::span<std::uint8_t> pixels) {
    return with_decoder(file, [&](Decoder& decoder) {
        return read_pixels(decoder, file.bytes.view(), shape, pixels.data());
    });
}

}  // namespace plimsoll::data

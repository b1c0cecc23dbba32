#include "tests/data/made_files.h"

#include <fstream>
#include <stdexcept>

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

namespace plimsoll::testing {
namespace {

std::string deflated(std::string_view content, int window) {
    z_stream stream{};
    if (deflateInit2(&stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::runtime_error("zlib");
    std::string out(deflateBound(&stream, content.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("zlib");
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

std::string padded(std::string text) {
    text.resize((text.size() + 7) / 8 * 8, '\0');
    return text;
}

std::string big32(std::uint32_t value) {
    std::string text = little32(value);
    return {text.rbegin(), text.rend()};
}

std::string element(std::uint32_t type, std::string_view content) {
    return little32(type) + little32(static_cast<std::uint32_t>(content.size())) +
           padded(std::string(content));
}

}  // namespace

std::string little32(std::uint32_t value) {
    std::string text;
    for (int i = 0; i < 4; ++i) text += static_cast<char>(value >> (8 * i));
    return text;
}

std::string gzipped(std::string_view content) { return deflated(content, MAX_WBITS + 16); }

std::string xzipped(std::string_view content) {
    std::string out(lzma_stream_buffer_bound(content.size()), '\0');
    std::size_t size = 0;
    if (lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr,
                                reinterpret_cast<const std::uint8_t*>(content.data()), content.size(),
                                reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()) != LZMA_OK)
        throw std::runtime_error("lzma");
    out.resize(size);
    return out;
}

std::string zstded(std::string_view content) {
    std::string out(ZSTD_compressBound(content.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), content.data(), content.size(), 1));
    return out;
}

data::LoadedFile in_memory(std::string_view content, std::string name) {
    return {std::move(name), std::vector<std::uint8_t>(content.begin(), content.end())};
}

std::filesystem::path write_file(const std::filesystem::path& folder, const std::string& name,
                                 std::string_view content) {
    const auto path = folder / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
    return path;
}

std::string noise(std::size_t count, std::uint64_t seed) {
    std::string bytes;
    for (std::uint64_t state = seed; bytes.size() < count;) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        bytes += static_cast<char>(state >> 56);
    }
    return bytes;
}

std::string cifar10_records(std::size_t count, std::uint64_t seed) {
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i) bytes += static_cast<char>(i % 10) + noise(3072, seed + i);
    return bytes;
}

std::string cifar100_records(std::size_t count, std::uint64_t seed) {
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i) {
        bytes += static_cast<char>(i % 20);
        bytes += static_cast<char>(i % 100) + noise(3072, seed + i);
    }
    return bytes;
}

std::string idx_file(const std::vector<std::uint32_t>& dimensions, std::string_view elements) {
    std::string file{'\0', '\0', '\x08', static_cast<char>(dimensions.size())};
    for (const auto dimension : dimensions) file += big32(dimension);
    return file + std::string(elements);
}

std::string labels(std::size_t count, std::size_t classes, char first) {
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i)
        bytes += static_cast<char>(static_cast<std::size_t>(first) + i % classes);
    return bytes;
}

std::string mat_array(const std::string& name, const std::vector<std::uint32_t>& dimensions,
                      std::uint8_t array_class, std::uint32_t data_type, std::string_view numbers) {
    std::string sizes;
    for (const auto dimension : dimensions) sizes += little32(dimension);
    const std::string body = element(6, little32(array_class) + little32(0)) + element(5, sizes) +
                             element(1, name) + element(data_type, numbers);
    return little32(14) + little32(static_cast<std::uint32_t>(body.size())) + body;
}

std::string mat_compressed(std::string_view array) {
    const std::string packed = deflated(array, MAX_WBITS);
    return little32(15) + little32(static_cast<std::uint32_t>(packed.size())) + packed;
}

std::string mat_file(std::string_view arrays) {
    std::string header = "MATLAB 5.0 MAT-file, made by the tests";
    header.resize(124, ' ');
    return header + std::string("\0\1IM", 4) + std::string(arrays);
}

std::string svhn_file(std::size_t count, bool compressed) {
    const auto n = static_cast<std::uint32_t>(count);
    const std::string x = mat_array("X", {32, 32, 3, n}, 9, 2, noise(count * 3072)),
                      y = mat_array("y", {n, 1}, 9, 2, labels(count, 10, 1));
    return mat_file(compressed ? mat_compressed(x) + mat_compressed(y) : x + y);
}

}  // namespace plimsoll::testing

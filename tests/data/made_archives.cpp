#include "tests/data/made_archives.h"

#include <cstdint>
#include <cstdio>
#include <stdexcept>

#include <zlib.h>

#include "tests/data/made_files.h"

namespace plimsoll::testing {
namespace {

constexpr std::size_t tar_block = 512;

std::string little16(std::uint32_t value) { return little32(value).substr(0, 2); }

std::string raw_deflated(std::string_view content) {
    z_stream stream{};
    if (deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
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

std::uint32_t crc_of(std::string_view content) {
    return static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()));
}

std::string padded_to_block(std::string content) {
    content.resize((content.size() + tar_block - 1) / tar_block * tar_block, '\0');
    return content;
}

}  // namespace

std::string tar_header(const std::string& name, std::uint64_t size, char type) {
    std::string header(tar_block, '\0');
    header.replace(0, std::min<std::size_t>(name.size(), 100), name.substr(0, 100));
    header.replace(100, 7, "0000644");
    char octal[13];
    std::snprintf(octal, sizeof octal, "%011llo", static_cast<unsigned long long>(size));
    header.replace(124, 11, octal);
    header.replace(148, 8, "        ");
    header[156] = type;
    header.replace(257, 5, "ustar");
    header.replace(263, 2, "00");
    unsigned sum = 0;
    for (const char c : header) sum += static_cast<unsigned char>(c);
    std::snprintf(octal, sizeof octal, "%06o", sum);
    header.replace(148, 6, octal);
    header[154] = '\0';
    return header;
}

std::string tar_file(const Members& members) {
    std::string file;
    for (const auto& [name, content] : members) {
        if (name.size() > 100)
            file += tar_header("././@LongLink", name.size() + 1, 'L') + padded_to_block(name + '\0');
        file += tar_header(name, content.size()) + padded_to_block(content);
    }
    return file + std::string(2 * tar_block, '\0');
}

std::string zip_file(const Members& members, bool deflate) {
    std::string file, directory;
    for (const auto& [name, content] : members) {
        const std::string packed = deflate ? raw_deflated(content) : content;
        const std::string common = little16(20) + little16(0) + little16(deflate ? 8 : 0) + little32(0) +
                                   little32(crc_of(content)) +
                                   little32(static_cast<std::uint32_t>(packed.size())) +
                                   little32(static_cast<std::uint32_t>(content.size())) +
                                   little16(static_cast<std::uint32_t>(name.size())) + little16(0);
        directory += "PK\1\2" + little16(20) + common + little16(0) + little16(0) + little16(0) +
                     little32(0) + little32(static_cast<std::uint32_t>(file.size())) + name;
        file += "PK\3\4" + common + name + packed;
    }
    const auto count = static_cast<std::uint32_t>(members.size());
    return file + directory + "PK\5\6" + little32(0) + little16(count) + little16(count) +
           little32(static_cast<std::uint32_t>(directory.size())) +
           little32(static_cast<std::uint32_t>(file.size())) + little16(0);
}

std::string npy_file(const std::string& descr, const std::string& shape, std::string_view elements,
                     bool fortran) {
    std::string head = "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + shape + ", }";
    while ((10 + head.size() + 1) % 64 != 0) head += ' ';
    head += '\n';
    return "\x93NUMPY" + std::string("\1\0", 2) + little16(static_cast<std::uint32_t>(head.size())) + head +
           std::string(elements);
}

}  // namespace plimsoll::testing

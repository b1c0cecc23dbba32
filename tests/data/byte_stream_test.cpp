#include "plimsoll/data/readers/byte_stream.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/support/temp_dir.h"

namespace plimsoll::data {
namespace {

using Bytes = std::vector<std::byte>;

// Half noise, half repetition: compresses, but not to nothing.
Bytes sample(std::size_t size) {
    Bytes bytes(size);
    std::uint64_t state = 1;
    for (std::size_t i = 0; i < size; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        bytes[i] = i % 64 < 32 ? std::byte{'a'} : static_cast<std::byte>(state >> 56);
    }
    return bytes;
}

Bytes gzip_of(const Bytes& content) {
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    Bytes out(deflateBound(&stream, content.size()));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

Bytes xz_of(const Bytes& content) {
    Bytes out(lzma_stream_buffer_bound(content.size()));
    std::size_t size = 0;
    EXPECT_EQ(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr,
                                      reinterpret_cast<const std::uint8_t*>(content.data()), content.size(),
                                      reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()),
              LZMA_OK);
    out.resize(size);
    return out;
}

Bytes zstd_of(const Bytes& content) {
    Bytes out(ZSTD_compressBound(content.size()));
    out.resize(ZSTD_compress(out.data(), out.size(), content.data(), content.size(), 3));
    return out;
}

Bytes plain(const Bytes& content) { return content; }

struct Packing {
    const char* name;
    Bytes (*pack)(const Bytes&);
    Compression kind;
};
constexpr Packing plainly{"plain", plain, Compression::none}, by_gzip{"gzip", gzip_of, Compression::gzip},
    by_xz{"xz", xz_of, Compression::xz}, by_zstd{"zstd", zstd_of, Compression::zstd};

class Packed : public ::testing::TestWithParam<Packing> {
  protected:
    std::filesystem::path write(const Bytes& bytes) {
        const auto path = folder_.path() / "file";
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return path;
    }
    testing::TempDir folder_;
};

class Compressed : public Packed {};   // files with an end mark
class Checksummed : public Packed {};  // files whose every byte counts

TEST_P(Packed, GivesTheContentBack) {
    for (const std::size_t size : {0, 1, 4095, 100'000}) {
        if (size == 0 && GetParam().kind == Compression::none) continue;
        const Bytes content = sample(size);
        EXPECT_EQ(read_bytes(write(GetParam().pack(content)), 1 << 20).value(), content);
    }
}

TEST_P(Packed, ReadsInAnyPortions) {
    const Bytes content = sample(100'000);
    auto stream = ByteStream::open(write(GetParam().pack(content))).value();
    EXPECT_EQ(stream.compression(), GetParam().kind);
    Bytes all, part(777);
    for (std::size_t count = part.size(); count == part.size();) {
        count = stream.read(part).value();
        all.insert(all.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(count));
    }
    EXPECT_EQ(all, content);
    EXPECT_EQ(stream.bytes_given(), content.size());
    EXPECT_EQ(stream.bytes_taken(), stream.file_bytes());
}

TEST_P(Packed, MembersInARowAreOneContent) {
    const Bytes content = sample(5000);
    Bytes packed = GetParam().pack(content), twice = content;
    const Bytes once = packed;
    packed.insert(packed.end(), once.begin(), once.end());
    twice.insert(twice.end(), content.begin(), content.end());
    EXPECT_EQ(read_bytes(write(packed), 1 << 20).value(), twice);
}

TEST_P(Compressed, ACutFileSaysWhere) {
    const Bytes packed = GetParam().pack(sample(3000));
    for (std::size_t size = 6; size < packed.size(); size += 61) {
        const auto path = write({packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size)});
        const auto content = read_bytes(path, 1 << 20);
        ASSERT_FALSE(content.ok()) << size;
        EXPECT_THAT(content.error().text(), ::testing::HasSubstr("the file ends in the middle"));
        EXPECT_THAT(content.error().text(), ::testing::HasSubstr("of " + std::to_string(size) + " ("));
    }
}

TEST_P(Checksummed, ADamagedFileIsRefused) {
    const Bytes content = sample(3000), packed = GetParam().pack(content);
    for (std::size_t at = 12; at < packed.size();
         at += 97) {  // past the header, whose time and name are free
        Bytes broken = packed;
        broken[at] ^= std::byte{0x10};
        EXPECT_FALSE(read_bytes(write(broken), 1 << 20).ok()) << at;
    }
}

TEST_P(Packed, ABombIsRefused) {
    const auto content = read_bytes(write(GetParam().pack(Bytes(100'000))), 99'999);
    ASSERT_FALSE(content.ok());
    EXPECT_THAT(content.error().text(), ::testing::HasSubstr("holds more than"));
}

std::string name_of(const ::testing::TestParamInfo<Packing>& packing) { return packing.param.name; }

INSTANTIATE_TEST_SUITE_P(All, Packed, ::testing::Values(plainly, by_gzip, by_xz, by_zstd), name_of);
INSTANTIATE_TEST_SUITE_P(All, Compressed, ::testing::Values(by_gzip, by_xz, by_zstd), name_of);
INSTANTIATE_TEST_SUITE_P(All, Checksummed, ::testing::Values(by_gzip, by_xz), name_of);

TEST(ByteStream, AMissingFileIsNotFound) {
    const auto stream = ByteStream::open("no/such/file");
    ASSERT_FALSE(stream.ok());
    EXPECT_EQ(stream.error().kind, ErrorKind::not_found);
}

TEST(ByteStream, AnEmptyFileIsEmpty) {
    testing::TempDir folder;
    std::ofstream(folder.path() / "empty");
    EXPECT_TRUE(read_bytes(folder.path() / "empty", 10).value().empty());
}

}  // namespace
}  // namespace plimsoll::data

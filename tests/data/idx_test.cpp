#include "plimsoll/data/readers/idx.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/format.h"
#include "tests/data/made_files.h"
#include "tests/support/error_text.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace plimsoll::testing;

std::string idx_error(const std::string& bytes) { return error_text(parse_idx(in_memory(bytes, "f"))); }

void write_mnist(const std::filesystem::path& folder, const std::string& prefix, std::uint32_t count) {
    write_file(folder, prefix + "-images-idx3-ubyte", idx_file({count, 4, 5}, noise(count * 20, count)));
    write_file(folder, prefix + "-labels-idx1-ubyte.gz", gzipped(idx_file({count}, labels(count, 10))));
}

TEST(Idx, AFolderHasItsSplitsAndLabels) {
    TempDir folder;
    write_mnist(folder.path(), "train", 13);
    write_mnist(folder.path(), "t10k", 6);
    const Images set = load_idx(folder.path(), {}, {}).value();
    EXPECT_EQ(set.shape, (ImageShape{1, 4, 5}));
    ASSERT_EQ(set.splits.size(), 2U);
    EXPECT_EQ(set.splits[0].name, "train");
    EXPECT_EQ(set.splits[1].name, "test");
    EXPECT_EQ(set.splits[0].count(), 13U);
    EXPECT_THAT(set.splits[1].labels, ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_EQ(set.class_names.size(), 10U);  // as many as the labels have
    const auto pixels = set.splits[1].pixels(5, set.shape);
    EXPECT_EQ(std::string(pixels.begin(), pixels.end()), noise(120, 6).substr(100));
}

TEST(Idx, AnImagesFileAloneFindsItsLabelsOrHasNone) {
    TempDir folder;
    write_mnist(folder.path(), "train", 3);
    const auto path = folder.path() / "train-images-idx3-ubyte";
    EXPECT_EQ(load_idx(path, {}, {}).value().splits[0].labels.size(), 3U);
    std::filesystem::remove(folder.path() / "train-labels-idx1-ubyte.gz");
    EXPECT_TRUE(load_idx(path, {}, {}).value().splits[0].labels.empty());
}

TEST(Idx, PackedIsTheSameAsPlain) {
    TempDir plain, packed;
    const std::string images = idx_file({3, 4, 5}, noise(60));
    write_file(plain.path(), "train-images-idx3-ubyte", images);
    write_file(packed.path(), "train-images-idx3-ubyte.xz", xzipped(images));
    const Images a = load_idx(plain.path(), {}, {}).value(), b = load_idx(packed.path(), {}, {}).value();
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_TRUE(std::ranges::equal(a.splits[0].pixels(i, a.shape), b.splits[0].pixels(i, b.shape)));
}

TEST(Idx, AWrongMagicSaysWhichByte) {
    const std::string good = idx_file({2, 3}, "abcdef");
    EXPECT_EQ(idx_error(good), "");
    std::string bad = good;
    bad[0] = 0x1f;
    EXPECT_EQ(idx_error(bad), "f: byte 0: not an IDX file, which starts with 00 00; this with 1f 00");
    bad = good;
    bad[2] = 0x07;
    EXPECT_EQ(idx_error(bad), "f: byte 2: 07 is no element type of IDX");
    bad[2] = 0x0d;
    EXPECT_EQ(idx_error(bad), "f: byte 2: holds 32-bit reals; unsigned bytes are read");
    EXPECT_EQ(parse_idx(in_memory(bad)).error().kind, ErrorKind::unsupported);
    bad = good;
    bad[3] = 0;
    EXPECT_EQ(idx_error(bad), "f: byte 3: 0 dimensions; 1 to 8 are read");
    bad[3] = 9;
    EXPECT_EQ(idx_error(bad), "f: byte 3: 9 dimensions; 1 to 8 are read");
}

TEST(Idx, ACutFileIsRefusedAtEveryByte) {
    const std::string good = idx_file({2, 3}, "abcdef");
    for (std::size_t size = 0; size < good.size(); ++size) {
        const std::string error = idx_error(good.substr(0, size));
        if (size < 4)
            EXPECT_EQ(error, fmt::format("f: byte {}: ends inside the 4 bytes of IDX's magic", size));
        else if (size < 12)
            EXPECT_EQ(error, fmt::format("f: byte {}: ends inside its 2 dimensions", size));
        else
            EXPECT_THAT(error, HasSubstr(fmt::format("{} follow the header", size - 12))) << size;
    }
}

TEST(Idx, CountsMustBeThoseOfTheBytes) {
    EXPECT_EQ(idx_error(idx_file({2, 3}, "abcdefg")),
              "f: byte 18: 1 bytes follow the 6 that the header states");
    EXPECT_EQ(idx_error(idx_file({3, 3}, "abcdef")),
              "f: byte 8: states at least 3 x 3 bytes; 6 follow the header");
    EXPECT_EQ(idx_error(idx_file({2, 0}, "")), "f: byte 4: states at least 1 x 2 bytes; 0 follow the header");
    EXPECT_EQ(idx_error(idx_file({0, 2}, "ab")), "f: byte 4: a dimension of 0");
    // 2^32 - 1 four times: the product does not fit 64 bits and must not wrap round to something small.
    EXPECT_EQ(idx_error(idx_file({~0U, ~0U, ~0U, ~0U}, "ab")),
              "f: byte 4: states at least 1 x 4294967295 bytes; 2 follow the header");
}

TEST(Idx, LabelsMustFitTheImagesAndTheClasses) {
    const LoadedFile images = in_memory(idx_file({3, 1, 2}, "abcdef"), "images");
    const auto error = [&](const std::string& bytes) {
        const LoadedFile file = in_memory(bytes, "labels");
        return error_text(make_idx_split(images, &file, 10));
    };
    EXPECT_EQ(error(idx_file({3}, std::string("\1\2\3", 3))), "");
    EXPECT_EQ(error(idx_file({2}, std::string("\1\2", 2))), "labels: byte 4: 2 labels for 3 images");
    EXPECT_EQ(error(idx_file({3}, std::string("\1\2\12", 3))),
              "labels: record 2, byte 10: label 10 of 10 classes");
    EXPECT_EQ(error(idx_file({3, 1}, std::string("\1\2\3", 3))),
              "labels: byte 3: 2 dimensions where labels have 1");
    const auto flat = make_idx_split(in_memory(idx_file({6}, "abcdef"), "images"), nullptr, 10);
    EXPECT_EQ(flat.error().text(), "images: byte 3: 1 dimensions where images have 3 (count, height, width)");
}

TEST(Idx, SplitsOfDifferentSizesAreRefused) {
    TempDir folder;
    write_file(folder.path(), "train-images-idx3-ubyte", idx_file({1, 2, 3}, "abcdef"));
    write_file(folder.path(), "t10k-images-idx3-ubyte", idx_file({1, 3, 2}, "abcdef"));
    EXPECT_THAT(load_idx(folder.path(), {}, {}).error().text(),
                HasSubstr("3 x 2 images; those before are 2 x 3"));
}

TEST(Idx, AFolderWithoutImagesSaysWhatItWants) {
    TempDir folder;
    EXPECT_THAT(load_idx(folder.path(), {}, {}).error().text(),
                HasSubstr("has no file named *-images-idx3-ubyte"));
}

}  // namespace
}  // namespace plimsoll::data

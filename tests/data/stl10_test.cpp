#include "plimsoll/data/readers/stl10.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/data/readers/planes.h"
#include "tests/data/made_files.h"
#include "tests/support/error_text.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::data {
namespace {

using ::testing::HasSubstr;
using namespace plimsoll::testing;

constexpr std::size_t image_bytes = 27648, side = 96;

TEST(Planes, RowsOfRowsAreThePlanesAgain) {
    const std::string bytes = noise(2 * side * side);
    std::vector<std::uint8_t> pixels(bytes.begin(), bytes.end());
    const auto original = pixels;
    planes_to_rows(pixels, {1, side, side});
    EXPECT_EQ(pixels[1], original[side]);  // row 0, column 1 was the second column's first
    planes_to_rows(pixels, {1, side, side});
    EXPECT_EQ(pixels, original);
}

TEST(Stl10, ColumnsBecomeRowsAndLabelsStartAtZero) {
    TempDir folder;
    const std::string x = noise(3 * image_bytes);
    write_file(folder.path(), "train_X.bin", x);
    write_file(folder.path(), "train_y.bin", std::string("\1\12\5", 3));
    write_file(folder.path(), "unlabeled_X.bin.zst", zstded(x));
    const Images set = load_stl10(folder.path(), {}).value();
    ASSERT_EQ(set.splits.size(), 2U);
    EXPECT_THAT(set.splits[0].labels, ::testing::ElementsAre(0, 9, 4));
    EXPECT_EQ(set.splits[1].name, "unlabelled");
    EXPECT_TRUE(set.splits[1].labels.empty());
    // Image 2, green, row 10, column 90: by the official layout at column * 96 + row of its plane.
    const auto byte = static_cast<std::uint8_t>(x[2 * image_bytes + side * side + 90 * side + 10]);
    EXPECT_EQ(set.splits[0].pixels(2, stl10_shape)[side * side + 10 * side + 90], byte);
    EXPECT_EQ(set.splits[1].pixels(2, stl10_shape)[side * side + 10 * side + 90], byte);
}

TEST(Stl10, BrokenFilesSayWhere) {
    const auto error = [](const std::string& x, const std::string& y) {
        const LoadedFile labels = in_memory(y, "y");
        return error_text(make_stl10_split(in_memory(x, "x"), &labels));
    };
    const std::string x(2 * image_bytes, 'a');
    EXPECT_EQ(error(x, "\1\2"), "");
    EXPECT_EQ(error("", ""), "x: is empty; an image has 27648 bytes");
    EXPECT_EQ(error(x.substr(0, 30000), "\1"),
              "x: record 1, byte 27648: the file ends after 2352 of the image's 27648 bytes");
    EXPECT_EQ(error(x, "\1"), "y: 1 labels for 2 images");
    EXPECT_EQ(error(x, "\1\13"), "y: record 1, byte 1: label 11; 1 to 10 are classes");
    EXPECT_EQ(error(x, std::string("\0\1", 2)), "y: record 0, byte 0: label 0; 1 to 10 are classes");
}

TEST(Stl10, MissingFilesAreNamed) {
    TempDir folder;
    EXPECT_THAT(load_stl10(folder.path(), {}).error().text(),
                HasSubstr("has no train_X.bin, test_X.bin or unlabeled_X.bin"));
    const auto path = write_file(folder.path(), "test_X.bin", std::string(image_bytes, 'a'));
    EXPECT_THAT(load_stl10(path, {}).error().text(), HasSubstr("its labels test_y.bin are not beside it"));
    EXPECT_THAT(load_stl10(write_file(folder.path(), "x", "a"), {}).error().text(),
                HasSubstr("is not named train_X.bin, test_X.bin or unlabeled_X.bin"));
}

}  // namespace
}  // namespace plimsoll::data

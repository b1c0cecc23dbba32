#include "plimsoll/data/readers/svhn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <matio.h>

#include "plimsoll/base/format.h"
#include "plimsoll/data/readers/mat5.h"
#include "tests/data/made_files.h"
#include "tests/support/error_text.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::data {
namespace {

using ::testing::HasSubstr;
using namespace plimsoll::testing;

std::string check_error(const std::string& bytes) {
    return error_text(check_mat5(in_memory(bytes, "f.mat"), 1 << 20));
}
std::string load_error(const std::string& bytes) {
    const auto split = make_svhn_split(in_memory(bytes, "f.mat"), {});
    return error_text(split);
}

// The pixel at (row, column) of a plane, which MATLAB has at row + 32 * column.
std::uint8_t matlab_pixel(const std::string& x, std::size_t image, std::size_t plane, std::size_t row,
                          std::size_t column) {
    return static_cast<std::uint8_t>(x[image * 3072 + plane * 1024 + column * 32 + row]);
}

void expect_images(const Images& set, const std::string& x, std::size_t count) {
    ASSERT_EQ(set.splits.at(0).count(), count);
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(set.splits[0].labels[i], (i + 1) % 10) << i;  // y is 1 ... 10, and 10 is the digit 0
        for (const std::size_t at : {0, 1, 33, 1024, 3071})
            EXPECT_EQ(set.splits[0].pixels(i, svhn_shape)[at],
                      matlab_pixel(x, i, at / 1024, at % 1024 / 32, at % 32))
                << i << " " << at;
    }
}

TEST(Svhn, PlainAndCompressedArraysGiveTheImages) {
    TempDir folder;
    for (const bool compressed : {false, true}) {
        const auto path = write_file(folder.path(), "train_32x32.mat", svhn_file(12, compressed));
        const Images set = load_svhn(path, {}).value();
        EXPECT_EQ(set.splits[0].name, "train");
        expect_images(set, noise(12 * 3072), 12);
    }
}

TEST(Svhn, APackedFileIsTheSame) {
    TempDir folder;
    write_file(folder.path(), "test_32x32.mat.xz", xzipped(svhn_file(3, true)));
    expect_images(load_svhn(folder.path(), {}).value(), noise(3 * 3072), 3);
}

TEST(Svhn, OneImageMayHaveLostItsLastDimension) {
    const std::string x = mat_array("X", {32, 32, 3}, 9, 2, noise(3072)),
                      y = mat_array("y", {1, 1}, 9, 2, "\1");
    EXPECT_EQ(make_svhn_split(in_memory(mat_file(x + y)), {}).value().count(), 1U);
}

// What matio itself writes, in both of its ways, is read the same; labels as doubles too.
TEST(Svhn, WhatMatioWritesIsRead) {
    TempDir folder;
    const std::string x = noise(4 * 3072);
    std::vector<double> labels{1, 2, 3, 4};
    for (const auto compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
        const auto path = folder.path() / "extra_32x32.mat";
        mat_t* file = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5);
        std::size_t x_dims[]{32, 32, 3, 4}, y_dims[]{4, 1};
        matvar_t* x_var =
            Mat_VarCreate("X", MAT_C_UINT8, MAT_T_UINT8, 4, x_dims, const_cast<char*>(x.data()), 0);
        matvar_t* y_var = Mat_VarCreate("y", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, y_dims, labels.data(), 0);
        Mat_VarWrite(file, x_var, compression);
        Mat_VarWrite(file, y_var, compression);
        Mat_VarFree(x_var), Mat_VarFree(y_var), Mat_Close(file);
        const auto set = load_svhn(path, {});
        ASSERT_TRUE(set.ok()) << set.error().text();
        expect_images(*set, x, 4);
    }
}

TEST(Svhn, ArraysThatAreNotSvhnsAreRefused) {
    const std::string x = mat_array("X", {32, 32, 3, 2}, 9, 2, noise(6144)),
                      y = mat_array("y", {2, 1}, 9, 2, "\1\2");
    EXPECT_EQ(load_error(mat_file(x + y)), "");
    EXPECT_EQ(load_error(mat_file(x)), "f.mat: has no array 'y'; SVHN's files hold X and y");
    EXPECT_EQ(load_error(mat_file(y)), "f.mat: has no array 'X'; SVHN's files hold X and y");
    EXPECT_EQ(load_error(mat_file(mat_array("X", {32, 16, 3, 4}, 9, 2, noise(6144)) + y)),
              "f.mat: byte 128: X is 32 x 16 x 3 x 4; SVHN's is 32 x 32 x 3 x count");
    EXPECT_EQ(load_error(mat_file(mat_array("X", {32, 32, 3, 2}, 8, 1, noise(6144)) + y)),
              "f.mat: byte 128: X has class 8; SVHN's is uint8 (9)");
    EXPECT_EQ(load_error(mat_file(x + mat_array("y", {3, 1}, 9, 2, "\1\2\3"))),
              fmt::format("f.mat: byte {}: y has 3 labels for 2 images", 128 + x.size()));
    EXPECT_EQ(
        load_error(mat_file(x + mat_array("y", {2, 1}, 9, 2, "\1\13"))),
        fmt::format("f.mat: record 1 of y, which starts at byte {}: label 11; 1 to 10 are digits, 10 for 0",
                    128 + x.size()));
}

TEST(Mat5, HeadersThatAreNotVersion5AreRefused) {
    const std::string good = svhn_file(1, false);
    EXPECT_EQ(check_error(good), "");
    EXPECT_THAT(check_error("nothing"), HasSubstr("byte 0: not a MAT-file of version 5"));
    EXPECT_EQ(check_error(good.substr(0, 60)), "f.mat: byte 60: ends inside the header of 128 bytes");
    std::string bad = good;
    bad[7] = '7', bad[9] = '3';
    EXPECT_THAT(check_error(bad),
                HasSubstr("is a MATLAB 7.3 file (HDF5), which cannot be checked before it is read"));
    bad = good;
    bad[126] = 'M', bad[127] = 'I';
    EXPECT_THAT(check_error(bad), HasSubstr("a big-endian MAT-file"));
    bad[127] = 'M';
    EXPECT_THAT(check_error(bad), HasSubstr("byte 126: the byte order is neither IM nor MI"));
    bad = good;
    bad[125] = 2;
    EXPECT_THAT(check_error(bad), HasSubstr("byte 124: version 0200, not 0100"));
}

TEST(Mat5, CountsAreHeldAgainstTheBytes) {
    const auto with = [](const std::vector<std::uint32_t>& dimensions, std::uint8_t type_class,
                         std::uint32_t type, const std::string& numbers) {
        return check_error(mat_file(mat_array("v", dimensions, type_class, type, numbers)));
    };
    EXPECT_EQ(with({2, 3}, 9, 2, "abcdef"), "");
    EXPECT_THAT(with({2, 4}, 9, 2, "abcdef"),
                HasSubstr("'v' has 8 elements of 1 bytes by its dimensions, but 6 bytes of numbers"));
    EXPECT_THAT(with({0x10000, 0x10000, 0x10000, 0x10000}, 9, 2, "abcdef"),
                HasSubstr("dimension 0 is 65536; the array has"));
    EXPECT_THAT(with({2, 0}, 9, 2, ""), HasSubstr("dimension 1 is 0"));
    EXPECT_THAT(with({2, 3}, 1, 2, "abcdef"),
                HasSubstr("an array of class 1; plain numbers (6 to 15) are read"));
    EXPECT_THAT(with({2, 3}, 9, 14, "abcdef"), HasSubstr("'v' has numbers of type 14"));
    EXPECT_THAT(with({6}, 9, 2, "abcdef"),
                HasSubstr("its dimensions take 4 bytes; two or more of 4 each are needed"));
    EXPECT_THAT(check_error(mat_file(mat_array("", {1, 1}, 9, 2, "a"))), HasSubstr("its name is ''"));
    EXPECT_THAT(check_error(mat_file(mat_array(std::string(70, 'n'), {1, 1}, 9, 2, "a"))),
                HasSubstr("its name take 70 bytes; 63 are the most"));
    EXPECT_THAT(check_error(mat_file(little32(3) + little32(0))),
                HasSubstr("byte 128: an element of type 3 where an array should be"));
    EXPECT_THAT(check_error(mat_file(little32(14) + little32(99))),
                HasSubstr("byte 128: an array of 99 bytes, of which 0 are there"));
}

TEST(Mat5, ABombIsRefused) {
    const std::string array = mat_array("X", {1 << 21, 1}, 9, 2, std::string(1 << 21, '\0'));
    EXPECT_THAT(check_error(mat_file(mat_compressed(array))), HasSubstr("holds more than 1.00 MiB"));
}

TEST(Mat5, ACutOrChangedFileNeverReachesMatioUnchecked) {
    for (const bool compressed : {false, true}) {
        const std::string good = svhn_file(1, compressed);
        for (std::size_t size = 0; size < good.size(); size += 37) {
            const std::string error = load_error(good.substr(0, size));
            EXPECT_THAT(error, HasSubstr(size == 128 ? "has no array" : "byte ")) << size;
        }
        for (std::size_t at = 124; at < good.size(); at += at < 400 ? 1 : 53) {
            std::string changed = good;
            changed[at] = static_cast<char>(changed[at] ^ 0x55);
            const auto split = make_svhn_split(in_memory(changed), {});
            EXPECT_TRUE(!split.ok() || split->count() == 1U)
                << at;  // a pixel may change unnoticed, nothing else
            EXPECT_FALSE(compressed && at > 140 && split.ok()) << at;
        }
    }
}

}  // namespace
}  // namespace plimsoll::data

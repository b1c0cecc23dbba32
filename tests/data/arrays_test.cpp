#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/data/arrays/npz.h"
#include "plimsoll/data/load.h"
#include "plimsoll/data/readers/array_images.h"
#include "plimsoll/data/tables/array_table.h"
#include "tests/data/made_archives.h"
#include "tests/data/made_files.h"
#include "tests/support/error_text.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace plimsoll::testing;

std::string npy_error(const std::string& file) { return error_text(parse_npy(in_memory(file, "f.npy"))); }

TEST(Npy, NumbersOfEveryWidthComeBack) {
    const auto array = [](const std::string& descr, const std::string& elements) {
        return parse_npy(in_memory(npy_file(descr, "(3,)", elements))).value();
    };
    const auto bytes = array("|i1", bytes_of_numbers<std::int8_t>({-1, 0, 127}));
    EXPECT_EQ(*whole_at(bytes, 0), -1);
    const auto shorts = array("<u2", bytes_of_numbers<std::uint16_t>({1, 65535, 2}));
    EXPECT_EQ(*whole_at(shorts, 1), 65535);
    const auto longs = array("<i8", bytes_of_numbers<std::int64_t>({-5, 1LL << 40, 0}));
    EXPECT_EQ(*whole_at(longs, 1), 1LL << 40);
    const auto reals = array("<f4", bytes_of_numbers<float>({0.5F, -2, 3}));
    EXPECT_FALSE(whole_at(reals, 0));
    EXPECT_DOUBLE_EQ(real_at(reals, 1), -2);
    EXPECT_EQ(type_name(shorts), "uint16");
    EXPECT_EQ(shape_text(reals), "3");
}

TEST(Npy, WhatCannotBeIsASentence) {
    const std::string four = bytes_of_numbers<std::int32_t>({1, 2, 3, 4});
    EXPECT_THAT(npy_error(npy_file("<i4", "(5,)", four)),
                HasSubstr("f.npy: states 5 elements of 4 bytes; 16 bytes follow its head"));
    EXPECT_THAT(npy_error(npy_file("<i4", "(4294967296, 4294967296)", four)), HasSubstr("16 bytes follow"));
    EXPECT_THAT(npy_error(npy_file("|O", "(4,)", four)), HasSubstr("Python objects (a pickle)"));
    EXPECT_THAT(npy_error(npy_file(">i4", "(4,)", four)), HasSubstr("big-endian"));
    EXPECT_THAT(npy_error(npy_file("<U4", "(1,)", four)), HasSubstr("texts"));
    EXPECT_THAT(npy_error(npy_file("<i4", "(4", four)), HasSubstr("shape"));
    EXPECT_THAT(npy_error(npy_file("<i4", "(-4,)", four)), HasSubstr("shape holds no whole number"));
    const std::string good = npy_file("<i4", "(4,)", four);
    for (std::size_t size = 0; size < good.size(); ++size)
        EXPECT_NE(npy_error(good.substr(0, size)), "") << size;
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string changed = good;
        changed[at] = static_cast<char>(changed[at] ^ 0x21);
        (void)npy_error(changed);
    }
}

TEST(Npy, ARowOfWholeNumbersIsTokenIds) {
    TempDir folder;
    DataRequest request;
    request.target = write_file(folder.path(), "tokens.npy",
                                npy_file("<i8", "(4,)", bytes_of_numbers<std::int64_t>({5, 0, 70000, 5})))
                         .string();
    const auto found = find_data(request).value();
    EXPECT_EQ(found.kind, Kind::tokens);
    EXPECT_EQ(found.reading, "a NumPy array of int64, 4: token ids");
    const auto tokens = std::get<Tokens>(load_data(found, request).value());
    EXPECT_EQ(tokens.count(), 4U);
    EXPECT_EQ(tokens[2], 70000U);
    request.read.tokens.vocabulary = 100;
    EXPECT_THAT(error_text(load_data(found, request)),
                HasSubstr("record 2: id 70000 of a vocabulary of 100"));
    const auto negative =
        write_file(folder.path(), "n.npy", npy_file("<i4", "(2,)", bytes_of_numbers<std::int32_t>({1, -1})));
    request = {};
    request.target = negative.string();
    EXPECT_THAT(error_text(load_data(find_data(request).value(), request)), HasSubstr("record 1: id -1"));
}

// MedMNIST's layout; the planes of colours are what lay beside one another.
TEST(ArrayImages, AreSplitsOfPlanes) {
    const std::string pixels = noise(2 * 2 * 3 * 3);
    const auto arrays = [&](const std::string& labels) {
        return in_memory(zip_file({{"train_images.npy", npy_file("|u1", "(2, 2, 3, 3)", pixels)},
                                   {"train_labels.npy", npy_file("|u1", "(2, 1)", labels)},
                                   {"test_images.npy", npy_file("|u1", "(2, 2, 3, 3)", pixels)},
                                   {"test_labels.npy", npy_file("|u1", "(2, 1)", labels)}}),
                         "m.npz");
    };
    const LoadedFile file = arrays("\1\4");
    const auto read = read_npz(file, 1 << 20).value();
    ASSERT_TRUE(are_images(read));
    const Images set = images_from(read, "m.npz").value();
    ASSERT_EQ(set.splits.size(), 2U);
    EXPECT_EQ(set.shape, (ImageShape{3, 2, 3}));
    EXPECT_EQ(set.splits[1].name, "test");
    EXPECT_THAT(set.splits[0].labels, ElementsAre(1, 4));
    EXPECT_EQ(set.class_names.size(), 5U);
    const auto second = set.splits[0].pixels(1, set.shape);
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t i = 0; i < 6; ++i)
            EXPECT_EQ(second[c * 6 + i], static_cast<std::uint8_t>(pixels[18 + i * 3 + c]));
    const auto three = read_npz(arrays("\1\2\3"), 1 << 20);
    EXPECT_THAT(error_text(three), HasSubstr("states 2 x 1 elements"));
}

TEST(ArrayImages, OtherNumbersAndManyLabelsAreRefused) {
    const auto error = [](const std::string& images, const std::string& labels) {
        const auto read = read_npz(
            in_memory(zip_file({{"images.npy", images}, {"labels.npy", labels}}, false), "f.npz"), 1 << 20);
        return error_text(images_from(read.value(), "f.npz"));
    };
    const std::string bytes = npy_file("|u1", "(2, 1, 2)", "abcd");
    EXPECT_EQ(error(bytes, npy_file("|u1", "(2,)", "\1\2")), "");
    EXPECT_THAT(
        error(npy_file("<f4", "(1, 1, 1)", bytes_of_numbers<float>({1})), npy_file("|u1", "(1,)", "\1")),
        HasSubstr("images of float32; unsigned bytes are read"));
    EXPECT_THAT(error(bytes, npy_file("|u1", "(2, 2)", "abcd")), HasSubstr("labels are one whole number"));
    EXPECT_THAT(error(bytes, npy_file("|u1", "(1,)", "a")), HasSubstr("1 labels for 2 images"));
    EXPECT_THAT(error(bytes, npy_file("<i4", "(2,)", bytes_of_numbers<std::int32_t>({0, 1000000}))),
                HasSubstr("record 1: label 1000000; labels are 0 to 65535"));
}

TEST(ArrayTable, RowsAndLabelsOfBothOrders) {
    const auto table = [](bool fortran) {
        const std::string numbers = fortran ? bytes_of_numbers<double>({1, 3, 5, 2, 4, 6})
                                            : bytes_of_numbers<double>({1, 2, 3, 4, 5, 6});
        const auto read = read_npz(
            in_memory(zip_file({{"X.npy", npy_file("<f8", "(3, 2)", numbers, fortran)},
                                {"y.npy", npy_file("<f8", "(3,)", bytes_of_numbers<double>({0.5, 1, 2}))}})),
            1 << 20);
        EXPECT_TRUE(are_table(*read));
        return table_from(*read, "f", {}).value();
    };
    for (const bool fortran : {false, true}) {
        const Table made = table(fortran);
        EXPECT_EQ(made.rows, 3U);
        EXPECT_THAT(made.numbers[0].values, ElementsAre(1, 3, 5));
        EXPECT_THAT(made.numbers[1].values, ElementsAre(2, 4, 6));
        EXPECT_THAT(made.label.numbers, ElementsAre(0.5, 1, 2));
    }
}

}  // namespace
}  // namespace plimsoll::data

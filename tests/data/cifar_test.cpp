#include "plimsoll/data/readers/cifar.h"

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

std::string pixels_of(const ImageSplit& split, std::size_t index) {
    const auto pixels = split.pixels(index, cifar_shape);
    return {pixels.begin(), pixels.end()};
}

std::string error_of(const std::string& bytes, Cifar kind = Cifar::ten) {
    ImageSplit split;
    return error_text(add_cifar(in_memory(bytes, "f.bin"), kind, split));
}

TEST(Cifar, GivesLabelsAndPlanesBack) {
    TempDir folder;
    const auto path = write_file(folder.path(), "data_batch_1.bin", cifar10_records(12, 7));
    const Images set = load_cifar(path, Cifar::ten, {}).value();
    ASSERT_EQ(set.splits.size(), 1U);
    EXPECT_EQ(set.splits[0].name, "train");
    EXPECT_EQ(set.splits[0].count(), 12U);
    EXPECT_THAT(set.splits[0].labels, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1));
    for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(pixels_of(set.splits[0], i), noise(3072, 7 + i)) << i;
    EXPECT_EQ(set.class_names[9], "truck");
}

TEST(Cifar, CountsAddOverFiles) {
    TempDir folder;
    write_file(folder.path(), "data_batch_1.bin", cifar10_records(3, 100));
    write_file(folder.path(), "data_batch_2.bin", cifar10_records(4, 200));
    write_file(folder.path(), "test_batch.bin", cifar10_records(5, 300));
    const Images set = load_cifar(folder.path(), Cifar::ten, {}).value();
    ASSERT_EQ(set.splits.size(), 2U);
    EXPECT_EQ(set.splits[0].count(), 3U + 4U);
    EXPECT_EQ(set.splits[0].labels.size(), 7U);
    EXPECT_EQ(set.splits[1].count(), 5U);
    EXPECT_EQ(pixels_of(set.splits[0], 3), noise(3072, 200));  // the first of the second file
    EXPECT_EQ(pixels_of(set.splits[1], 4), noise(3072, 304));
}

TEST(Cifar, PackedIsTheSameAsPlain) {
    TempDir folder;
    const std::string records = cifar10_records(4);
    const Images plain = load_cifar(write_file(folder.path(), "a.bin", records), Cifar::ten, {}).value();
    for (const auto& [name, content] : {std::pair{"a.bin.gz", gzipped(records)},
                                        {"a.bin.xz", xzipped(records)},
                                        {"a.bin.zst", zstded(records)}}) {
        const Images packed = load_cifar(write_file(folder.path(), name, content), Cifar::ten, {}).value();
        EXPECT_EQ(packed.splits[0].labels, plain.splits[0].labels) << name;
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_EQ(pixels_of(packed.splits[0], i), pixels_of(plain.splits[0], i)) << name;
    }
}

TEST(Cifar, HundredHasTwoLabels) {
    TempDir folder;
    const Images set =
        load_cifar(write_file(folder.path(), "test.bin", cifar100_records(25)), Cifar::hundred, {}).value();
    EXPECT_EQ(set.splits[0].name, "test");
    EXPECT_EQ(set.splits[0].labels[24], 24);
    EXPECT_EQ(set.splits[0].coarse_labels[24], 4);
    EXPECT_EQ(set.class_names.size(), 100U);
    EXPECT_EQ(set.class_names[99], "worm");
    EXPECT_EQ(set.coarse_class_names[19], "vehicles_2");
    EXPECT_EQ(pixels_of(set.splits[0], 3), noise(3072, 4));
}

TEST(Cifar, ACutFileSaysWhichRecord) {
    const std::string records = cifar10_records(3);
    EXPECT_EQ(error_of(""), "f.bin: is empty; it should hold records of 3073 bytes");
    for (std::size_t size = 1; size < records.size(); size += 271) {
        if (size % 3073 == 0) continue;
        EXPECT_EQ(error_of(records.substr(0, size)),
                  fmt::format("f.bin: record {}, byte {}: the file ends after {} of the record's 3073 bytes",
                              size / 3073, size / 3073 * 3073, size % 3073));
    }
}

TEST(Cifar, ALabelOutsideSaysWhere) {
    std::string records = cifar10_records(20);
    records[17 * 3073] = 11;
    EXPECT_EQ(error_of(records), "f.bin: record 17, byte 52241: label 11 of 10 classes");
    std::string hundred = cifar100_records(3);
    hundred[3074] = 20;
    EXPECT_EQ(error_of(hundred, Cifar::hundred), "f.bin: record 1, byte 3074: coarse label 20 of 20 classes");
    hundred[3074] = 0;
    hundred[3075] = 100;
    EXPECT_EQ(error_of(hundred, Cifar::hundred), "f.bin: record 1, byte 3075: label 100 of 100 classes");
}

TEST(Cifar, AFolderWithoutItsFilesSaysWhichItWants) {
    TempDir folder;
    const auto ten = load_cifar(folder.path(), Cifar::ten, {}),
               hundred = load_cifar(folder.path(), Cifar::hundred, {});
    ASSERT_FALSE(ten.ok());
    EXPECT_EQ(ten.error().kind, ErrorKind::not_found);
    EXPECT_THAT(ten.error().text(),
                HasSubstr("has no data_batch_1.bin ... data_batch_5.bin or test_batch.bin"));
    EXPECT_THAT(hundred.error().text(), HasSubstr("has no train.bin or test.bin"));
}

TEST(Cifar, TheMemoryAllowedIsKept) {
    TempDir folder;
    const auto path = write_file(folder.path(), "a.bin.gz", gzipped(std::string(3073 * 2000, '\0')));
    const auto set = load_cifar(path, Cifar::ten, {.most_bytes = 5'000'000, .progress = nullptr});
    ASSERT_FALSE(set.ok());
    EXPECT_THAT(set.error().text(), HasSubstr("holds more than the 4.77 MiB that are allowed here"));
}

}  // namespace
}  // namespace plimsoll::data

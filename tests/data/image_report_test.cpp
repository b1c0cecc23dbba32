#include "plimsoll/data/describe/image_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/data/describe/contact_sheet.h"
#include "plimsoll/data/readers/image_file.h"
#include "tests/data/made_files.h"

namespace plimsoll::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace plimsoll::testing;

ImageSplit split_of(const std::string& name, const std::vector<std::string>& images,
                    std::vector<std::uint16_t> labels) {
    ImageSplit split;
    split.name = name;
    split.labels = std::move(labels);
    std::vector<std::uint8_t> bytes;
    for (const auto& image : images) bytes.insert(bytes.end(), image.begin(), image.end());
    split.add({std::move(bytes), 0, images[0].size(), images.size()});
    return split;
}

Images small_set() {
    Images set;
    set.shape = {1, 1, 2};
    set.class_names = {"x", "y"};
    set.splits = {split_of("train", {"ab", "cd", "ab"}, {0, 1, 1}), split_of("test", {"zz", "cd"}, {0, 1})};
    return set;
}

TEST(Duplicates, AreFoundInAndBetweenGroups) {
    const ImageReport report = report_images(small_set());
    ASSERT_EQ(report.overlaps.size(), 2U);
    EXPECT_EQ(report.overlaps[0].first, 0U);
    EXPECT_EQ(report.overlaps[0].second, 0U);
    EXPECT_EQ(report.overlaps[0].records, 1U);
    EXPECT_EQ(report.overlaps[0].example_second, (RecordId{0, 2}));
    EXPECT_EQ(report.overlaps[1].second, 1U);
    EXPECT_EQ(report.overlaps[1].records, 1U);
    EXPECT_EQ(report.overlaps[1].example_first, (RecordId{0, 1}));
    EXPECT_EQ(report.label_conflicts, 1U);  // ab is x and y, cd is y twice
}

// Two ways: every pair compared.
TEST(Duplicates, AreThoseOfAllPairs) {
    std::vector<std::string> records;
    for (std::uint64_t i = 0; i < 60; ++i) records.push_back(noise(i % 3, i * i % 7));
    const auto bytes = [&](RecordId id) {
        return std::span(reinterpret_cast<const std::uint8_t*>(records[id.index].data()),
                         records[id.index].size());
    };
    std::size_t repeats = 0, by_pairs = 0;
    for (const auto& set : find_duplicates({records.size()}, bytes)) repeats += set.size() - 1;
    for (std::size_t i = 0; i < records.size(); ++i)
        by_pairs += std::find(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(i),
                              records[i]) != records.begin() + static_cast<std::ptrdiff_t>(i);
    EXPECT_GT(repeats, 0U);
    EXPECT_EQ(repeats, by_pairs);
}

TEST(ImageReport, MeanAndDeviationPerChannel) {
    Images set;
    set.shape = {3, 1, 2};
    set.class_names = {"x"};
    set.splits = {split_of(
        "all", {std::string("\0\xff\x33\x33\0\0", 6), std::string("\0\xff\x33\x33\0\0", 6)}, {0, 0})};
    const ImageReport report = report_images(set);
    EXPECT_THAT(report.splits[0].mean, ElementsAre(0.5, 0.2, 0));
    EXPECT_THAT(report.splits[0].deviation, ElementsAre(0.5, 0, 0));
    EXPECT_THAT(report.splits[0].histogram, ElementsAre(2));
}

TEST(ContactSheet, ThePngDecodesBackToThePixels) {
    for (const std::size_t channels : {1, 3}) {
        Images set;
        set.shape = {channels, 4, 5};
        set.class_names = {"x", "y", "z"};
        std::vector<std::string> images;
        for (std::uint64_t i = 0; i < 6; ++i) images.push_back(noise(set.shape.bytes(), i));
        set.splits = {split_of("train", images, {2, 0, 0, 2, 2, 0})};
        const ContactSheet sheet = make_contact_sheet(set).value();
        EXPECT_THAT(sheet.samples, ElementsAre(ElementsAre(1, 2, 5), ElementsAre(), ElementsAre(0, 3, 4)));
        const LoadedFile png = in_memory(contact_sheet_png(set).value());
        ASSERT_EQ(image_shape(png).value(), sheet.shape);
        std::vector<std::uint8_t> planes(sheet.shape.bytes());
        ASSERT_TRUE(decode_image(png, sheet.shape, planes).ok());
        const std::size_t scale = sheet.scale, plane = sheet.shape.height * sheet.shape.width;
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t column = 0; column < sheet.samples[row].size(); ++column)
                for (std::size_t i = 0; i < set.shape.bytes(); ++i) {
                    const std::size_t c = i / 20,
                                      y = sheet.gap + row * (4 * scale + sheet.gap) + i % 20 / 5 * scale +
                                          scale - 1,
                                      x = sheet.gap + column * (5 * scale + sheet.gap) + i % 5 * scale;
                    ASSERT_EQ(planes[c * plane + y * sheet.shape.width + x],
                              static_cast<std::uint8_t>(images[sheet.samples[row][column]][i]));
                }
    }
}

TEST(ContactSheet, WithoutLabelsTheImagesStandInOrder) {
    Images set;
    set.shape = {1, 1, 1};
    set.splits = {split_of("all", std::vector<std::string>(12, "a"), {})};
    const auto samples = make_contact_sheet(set).value().samples;
    ASSERT_EQ(samples.size(), 2U);
    EXPECT_THAT(samples[1], ElementsAre(10, 11));
    set.shape.channels = 2;
    EXPECT_THAT(make_contact_sheet(set).error().text(), HasSubstr("images with 2 channels"));
}

}  // namespace
}  // namespace plimsoll::data

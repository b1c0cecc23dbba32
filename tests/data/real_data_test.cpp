// The real files beside the checkout, through the loaders; each test is skipped by name when its files are
// absent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/hash.h"
#include "plimsoll/data/catalogue.h"
#include "plimsoll/data/describe/describe.h"
#include "plimsoll/data/readers/byte_stream.h"
#include "tests/support/shared_data.h"

namespace plimsoll::data {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Pointwise;

// To the digits in which the numbers are published.
constexpr double four_digits = 0.00005;

DataReport report_of(const std::filesystem::path& path) {
    DataRequest request;
    request.target = path.string();
    return describe(request, false).value();
}

TEST(RealData, CifarTen) {
    const auto folder = shared_file("data/cifar10");
    if (!folder) GTEST_SKIP() << "data/cifar10 is absent";
    const auto report = report_of(*folder);
    const auto& facts = std::get<ImageReport>(report.facts);
    ASSERT_EQ(report.kind, Kind::cifar10);
    ASSERT_EQ(facts.splits.size(), 2U);
    EXPECT_EQ(facts.splits[0].count, 50000U);
    EXPECT_EQ(facts.splits[1].count, 10000U);
    EXPECT_THAT(facts.splits[0].histogram, Each(5000U));
    EXPECT_THAT(facts.splits[1].histogram, Each(1000U));
    // The numbers that everybody normalises with.
    EXPECT_THAT(facts.splits[0].mean, Pointwise(DoubleNear(four_digits), {0.4914, 0.4822, 0.4465}));
    EXPECT_THAT(facts.splits[0].deviation, Pointwise(DoubleNear(four_digits), {0.2470, 0.2435, 0.2616}));
    EXPECT_TRUE(facts.overlaps.empty());
}

TEST(RealData, CifarTensFilesAreThoseOfTheCatalogue) {
    const auto folder = shared_file("data/cifar10");
    if (!folder) GTEST_SKIP() << "data/cifar10 is absent";
    const auto file = in_catalogue("cifar10")->files.back();
    const auto bytes = read_bytes(find_packed(*folder, file.name).value(), file.bytes).value();
    EXPECT_EQ(bytes.size(), file.bytes);
    EXPECT_EQ("sha256 " + sha256_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()}),
              file.checksum);
}

TEST(RealData, FashionMnistOfDebianIsFoundByItself) {
    const auto* entry = in_catalogue("fashion-mnist");
    if (!std::filesystem::exists(entry->system_folder)) GTEST_SKIP() << entry->system_folder << " is absent";
    for (const auto& file : entry->files) {
        const auto bytes =
            read_bytes(find_packed(entry->system_folder, file.name).value(), file.bytes).value();
        EXPECT_EQ("sha256 " + sha256_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()}),
                  file.checksum)
            << file.name;
    }
    const auto report = report_of("fashion-mnist");
    const auto& facts = std::get<ImageReport>(report.facts);
    EXPECT_EQ(facts.shape, (ImageShape{1, 28, 28}));
    EXPECT_EQ(facts.class_names[9], "ankle boot");
    EXPECT_THAT(facts.splits[0].histogram, Each(6000U));
    EXPECT_THAT(facts.splits[0].mean, Pointwise(DoubleNear(four_digits), {0.2860}));
    EXPECT_THAT(facts.splits[0].deviation, Pointwise(DoubleNear(four_digits), {0.3530}));
}

TEST(RealData, SentencePairs) {
    const auto sick = shared_file("data/nli/sick.tsv"), rte = shared_file("data/nli/rte123.tsv");
    if (!sick || !rte) GTEST_SKIP() << "data/nli is absent";
    const auto sick_report = report_of(*sick), rte_report = report_of(*rte);
    const auto& one = std::get<PairReport>(sick_report.facts);
    EXPECT_THAT(one.label_names, ElementsAre("entailment", "neutral", "contradiction"));
    EXPECT_THAT(one.splits[0].histogram, ElementsAre(2857, 5611, 1459));
    const auto& other = std::get<PairReport>(rte_report.facts);
    ASSERT_EQ(other.splits.size(), 6U);
    EXPECT_THAT(other.label_names, ElementsAre("entailment", "not_entailment"));
    EXPECT_THAT(other.splits[0].histogram, ElementsAre(283, 284));
    std::uint64_t pairs = 0;
    for (const auto& split : other.splits) pairs += split.count;
    EXPECT_EQ(pairs, 4167U);
}

TEST(RealData, TextThroughXz) {
    const auto text = shared_file("data/text/tinyshakespeare.txt.xz");
    if (!text) GTEST_SKIP() << "data/text is absent";
    const auto report = report_of(*text);
    const auto& facts = std::get<TextReport>(report.facts);
    EXPECT_EQ(facts.bytes, 1115394U);
    EXPECT_EQ(facts.lines, 40000U);
    EXPECT_EQ(facts.distinct_bytes, 65U);
    EXPECT_FALSE(facts.files[0].first_bad_byte);
}

}  // namespace
}  // namespace plimsoll::data

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/data/catalogue.h"
#include "plimsoll/data/readers/byte_stream.h"
#include "plimsoll/fit/look/look.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::fit {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> input_names(const DataLook& look) {
    std::vector<std::string> names;
    for (const auto& choice : look.inputs) names.push_back(choice.name);
    return names;
}

// Dependence that falls with distance, down to a quarter of the noise of one step.
void expect_falling(const Dependence& dependence, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
        EXPECT_GT(dependence.by_distance[i].bits, dependence.by_distance[i + 1].bits) << i;
}

TEST(LookAtRealData, TinyShakespeare) {
    const auto path = shared_file("data/text/tinyshakespeare.txt.xz");
    if (!path) GTEST_SKIP() << "data/text/tinyshakespeare.txt.xz is not there";
    const testing::TempDir dir;
    const auto seen = look({.data = path->string(), .parameters = 1'000'000, .out = dir.path()});
    ASSERT_TRUE(seen.ok()) << seen.error().text();
    EXPECT_EQ(seen->size, 1'115'394U);
    EXPECT_THAT(input_names(*seen), ElementsAre("bytes", "bpe-500", "bpe-1000", "bpe-2000"));
    EXPECT_EQ(seen->inputs[0].rank, 65);  // its distinct bytes
    EXPECT_NEAR(seen->chance, 4.77, 0.01);
    EXPECT_NEAR(seen->dependence.by_distance[0].bits, 1.24, 0.01);
    expect_falling(seen->dependence, 0, 5);
    EXPECT_GT(seen->dependence.splits[1].bits, seen->dependence.splits[0].bits + 1);
}

TEST(LookAtRealData, ASliceOfEnwiki) {
    const auto path = shared_file("data/text/enwiki_valid.txt.xz");
    if (!path) GTEST_SKIP() << "data/text/enwiki_valid.txt.xz is not there";
    const testing::TempDir dir;
    auto stream = data::ByteStream::open(*path).value();
    std::string text(2'000'000, '\0');
    text.resize(stream.read(std::as_writable_bytes(std::span(text.data(), text.size()))).value());
    ASSERT_TRUE(atomic_write(dir.path() / "slice.txt", text).ok());
    const auto seen =
        look({.data = (dir.path() / "slice.txt").string(), .vocabularies = {257, 4000}, .out = dir.path()});
    ASSERT_TRUE(seen.ok()) << seen.error().text();
    EXPECT_EQ(seen->size, text.size());
    EXPECT_THAT(input_names(*seen), ElementsAre("bytes", "bpe-4000"));
    EXPECT_GT(seen->inputs[1].units_per_token, 2.5);
    expect_falling(seen->dependence, 0, 4);
    EXPECT_GE(seen->dependence.reach, 256);
}

TEST(LookAtRealData, SickPairs) {
    const auto path = shared_file("data/nli/sick.tsv");
    if (!path) GTEST_SKIP() << "data/nli/sick.tsv is not there";
    const testing::TempDir dir;
    const auto seen = look({.data = path->string(), .vocabularies = {257, 1000}, .out = dir.path()});
    ASSERT_TRUE(seen.ok()) << seen.error().text();
    EXPECT_EQ(seen->modality, Modality::pairs);
    EXPECT_EQ(seen->classes, 3);
    EXPECT_EQ(seen->inputs[0].vocab, 257);
    EXPECT_EQ(seen->inputs[1].vocab, 1000);
    EXPECT_LT(seen->inputs[1].tokens, seen->inputs[0].tokens / 2);
    EXPECT_GT(seen->chance, 0.5);
}

TEST(LookAtRealData, CifarsFirstBatch) {
    const auto path = shared_file("data/cifar10/data_batch_1.bin.xz");
    if (!path) GTEST_SKIP() << "data/cifar10/data_batch_1.bin.xz is not there";
    const auto seen = look({.data = path->string()});
    ASSERT_TRUE(seen.ok()) << seen.error().text();
    EXPECT_EQ(seen->modality, Modality::images);
    EXPECT_EQ(seen->size, 10'000U);
    EXPECT_EQ(seen->held_out, 1'001U);  // a tenth of each class, rounded
    EXPECT_EQ(seen->classes, 10);
    EXPECT_EQ(seen->image_channels, 3);
    EXPECT_THAT(input_names(*seen), ElementsAre("patch 2", "patch 4", "patch 8", "patch 16"));
    for (const auto& choice : seen->inputs) {
        EXPECT_EQ(choice.rank, choice.units_per_token);  // photographs fill every dimension
        EXPECT_LT(choice.effective_rank, 0.6 * choice.rank);
        EXPECT_EQ(choice.tokens * choice.patch * choice.patch, 32 * 32);
    }
    expect_falling(seen->dependence, 0, 3);
    EXPECT_GT(seen->dependence.splits[1].bits, seen->dependence.splits[0].bits);
}

TEST(LookAtRealData, FashionMnist) {
    const auto* entry = data::in_catalogue("fashion-mnist");
    if (!data::find_folder(*entry, {}).ok()) GTEST_SKIP() << "fashion-mnist's package is not installed";
    const auto seen = look({.data = "fashion-mnist"});
    ASSERT_TRUE(seen.ok()) << seen.error().text();
    EXPECT_EQ(seen->size, 70'000U);
    EXPECT_EQ(seen->held_out, 10'000U);
    EXPECT_EQ(seen->held_out_part, "test");
    EXPECT_DOUBLE_EQ(seen->chance, 0.1);
    EXPECT_THAT(input_names(*seen), ElementsAre("patch 2", "patch 4", "patch 7", "patch 14"));
    expect_falling(seen->dependence, 0, 4);
}

}  // namespace
}  // namespace plimsoll::fit

#include "plimsoll/fit/look/input_rank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/random.h"
#include "plimsoll/fit/look/vocabularies.h"
#include "plimsoll/rank/dense_matrix.h"
#include "plimsoll/rank/singular_values.h"

namespace plimsoll::fit {
namespace {

using ::testing::ElementsAre;
using Bytes = std::vector<std::uint8_t>;

// Images of 8 x 8 pixels whose 4 x 4 patches are sums of `patterns` fixed ones with whole coefficients.
std::vector<Bytes> images_of(std::size_t patterns, std::size_t count) {
    RandomStream stream(1, "test/images");
    std::vector<Bytes> basis(patterns, Bytes(16)), images(count, Bytes(64));
    for (auto& pattern : basis)
        for (auto& pixel : pattern) pixel = static_cast<std::uint8_t>(stream.below(8));
    for (auto& image : images) {
        for (std::size_t patch = 0; patch < 4; ++patch) {
            for (const auto& pattern : basis) {
                const auto times = static_cast<std::uint8_t>(stream.below(4));
                for (std::size_t i = 0; i < 16; ++i) {
                    auto& pixel = image[(patch / 2 * 4 + i / 4) * 8 + patch % 2 * 4 + i % 4];
                    pixel = static_cast<std::uint8_t>(pixel + times * pattern[i]);
                }
            }
        }
    }
    return images;
}

InputRank rank_of(const std::vector<Bytes>& images) {
    const std::vector<std::span<const std::uint8_t>> views(images.begin(), images.end());
    return patch_rank(views, {1, 8, 8}, 4, 1).value();
}

TEST(PatchRank, IsTheNumberOfPatternsInThePatches) {
    for (const std::size_t patterns : {1U, 3U, 7U}) {
        const InputRank rank = rank_of(images_of(patterns, 300));
        EXPECT_EQ(rank.rank, static_cast<double>(patterns));
        EXPECT_LE(rank.effective_rank, static_cast<double>(patterns) + 1e-9);
        EXPECT_GT(rank.effective_rank, 0.6 * static_cast<double>(patterns));
        EXPECT_EQ(rank.source, "measured: singular values of 1200 centred patches of 16 numbers");
    }
}

TEST(PatchRank, IsZeroForOneColour) {
    const std::vector<Bytes> images(10, Bytes(64, 100));
    EXPECT_EQ(rank_of(images).rank, 0);
}

TEST(VocabularyRank, IsThatOfTheOneHotMatrix) {
    const std::vector<std::uint64_t> counts{5, 0, 1, 9};
    const InputRank rank = vocabulary_rank(counts);
    rank::DenseMatrix<double> one_hot(15, 4);
    std::size_t row = 0;
    for (std::size_t id = 0; id < 4; ++id)
        for (std::uint64_t i = 0; i < counts[id]; ++i) one_hot(row++, id) = 1;
    ASSERT_TRUE(rank::prepare_singular_values().ok());
    const auto spectrum = rank::spectrum_of(one_hot.view());
    EXPECT_EQ(rank.rank, static_cast<double>(spectrum.numerical_rank));
    EXPECT_NEAR(rank.effective_rank, spectrum.effective_rank, 1e-9);
    EXPECT_EQ(rank.source, "counted: 3 of 4 ids occur in the training part");
}

TEST(VocabularyRank, IsTheSizeWhenAllAreAlike) {
    EXPECT_NEAR(vocabulary_rank(std::vector<std::uint64_t>(64, 10)).effective_rank, 64, 1e-9);
    EXPECT_EQ(vocabulary_rank(std::vector<std::uint64_t>(3)).rank, 0);
}

TEST(PatchSizes, DivideTheImage) {
    EXPECT_THAT(patch_sizes({3, 32, 32}, 256), ElementsAre(2, 4, 8, 16));
    EXPECT_THAT(patch_sizes({1, 28, 28}, 256), ElementsAre(2, 4, 7, 14));
    EXPECT_THAT(patch_sizes({1, 12, 18}, 256), ElementsAre(1, 2, 3, 6));
    EXPECT_TRUE(patch_sizes({1, 97, 89}, 256).empty());
}

TEST(VocabularyLadder, IsBoundedByTextAndParameters) {
    EXPECT_THAT(vocabulary_ladder(1'000'000, 10'000'000), ElementsAre(500, 1000, 2000));
    EXPECT_THAT(vocabulary_ladder(100'000'000, 1'000'000), ElementsAre(500, 1000, 2000, 4000));
    EXPECT_THAT(vocabulary_ladder(100'000'000, 100'000'000), ::testing::SizeIs(7));
    EXPECT_TRUE(vocabulary_ladder(100'000, 10'000'000).empty());
}

}  // namespace
}  // namespace plimsoll::fit

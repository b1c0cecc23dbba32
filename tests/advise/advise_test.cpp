#include "plimsoll/advise/advise.h"

#include <gtest/gtest.h>

#include "plimsoll/advise/candidates.h"
#include "tests/advise/advise_requests.h"

namespace plimsoll::advise {
namespace {

TEST(Advise, InTheFlatRegionNothingThatSpendsAsMuchIsCheaper) {
    AdviceRequest request = tokens(300'000'000);
    request.multiple_of = 8;
    request.head_dims = {8};
    const CostModel costs(request, Block::gpt2, TableRank::full);
    const auto window = window_of(request.family);
    const auto shapes = scan_shapes(costs, window);
    const auto choice = choose_shape(costs, shapes, window);
    ASSERT_EQ(choice.decided, DecidedBy::cost);
    const auto cost = [&](const Candidate& s) {
        return costs.forward_flops(s.layout) / static_cast<double>(s.parameters);
    };
    int compared = 0;
    for (const auto& shape : shapes) {
        if (!window.band_holds(shape) || static_cast<double>(shape.parameters) < 0.98 * 300e6) continue;
        EXPECT_GE(cost(shape), cost(choice.shape)) << shape.layout.depth;
        ++compared;
    }
    EXPECT_GE(compared, 3);
}

// 15 layers of 1024 fit 200 M and are 1.46 T deep; 15 of 512 are 1.55 T.
TEST(Advise, AWidthThatIsTooWideForItsDepthIsNarrowed) {
    AdviceRequest request = patches(200'000'000, AdviceFamily::transformer);
    request.multiple_of = 512;
    const CostModel costs(request, Block::gpt2, TableRank::full);
    const auto window = window_of(request.family);
    std::vector<std::pair<std::int64_t, bool>> widths;
    for (const auto& shape : scan_shapes(costs, window)) {
        if (shape.layout.depth == 15) widths.emplace_back(shape.layout.width, window.band_holds(shape));
    }
    EXPECT_EQ(widths, (std::vector<std::pair<std::int64_t, bool>>{{1024, false}, {512, true}}));
}

TEST(Advise, WithoutStringsCapacityDecidesInTheBand) {
    const Advice advice = advised(patches(86'000'000, AdviceFamily::transformer));
    EXPECT_EQ(advice.decided, DecidedBy::capacity);
    EXPECT_GE(advice.answer.depth_over_knee, 1.5);
    EXPECT_LE(advice.answer.depth_over_knee, 2);
}

TEST(Advise, ATableOfMoreThanHalfTheBudgetIsFactorised) {
    const Advice advice = advised(tokens(10'000'000, 50257));
    EXPECT_GT(advice.answer.layout.embedding_rank, 0);
    EXPECT_LT(advice.answer.layout.embedding_rank, advice.answer.layout.width);
    AdviceRequest full = tokens(10'000'000, 50257);
    full.embedding_rank = 0;
    EXPECT_EQ(advised(full).answer.layout.embedding_rank, 0);
    AdviceRequest given = tokens(10'000'000, 50257);
    given.embedding_rank = 96;
    EXPECT_EQ(advised(given).answer.layout.embedding_rank, 96);
}

TEST(Advise, HeadsThatDoNotDivideMakeItALlama) {
    AdviceRequest request = tokens(30'000'000);
    request.head_dims = {100};
    const Advice advice = advised(request);
    EXPECT_EQ(advice.answer.layout.block, Block::llama);
    EXPECT_EQ(advice.answer.layout.head_dim, 100);
    request.head_dims = {64};
    EXPECT_EQ(advised(request).answer.layout.block, Block::gpt2);
}

TEST(Advise, FreeTokensMakeAMixerSquare) {
    const Advice advice = advised(mixer(10'000'000));
    EXPECT_EQ(advice.answer.layout.tokens, advice.answer.layout.width);
    const double ratio = static_cast<double>(advice.answer.layout.depth) / advice.line;
    EXPECT_GE(ratio, 1);
    EXPECT_LE(ratio, 2);
}

TEST(Advise, WhatCannotBeIsRefused) {
    EXPECT_EQ(refusal(tokens(0)), "params: must be 1 to 100000000000000, got 0");
    EXPECT_EQ(refusal(tokens(5)),
              "params: 5 is less than one layer of width 64 with 32000 tokens (2.16 M); give a larger "
              "budget, fewer "
              "tokens or a smaller --multiple-of");
    EXPECT_EQ(refusal(tokens(100'000'000, 1)), "vocab: must be 2 to 1000000000, got 1");
    EXPECT_EQ(refusal(tokens(100'000'000, 32000, 1)), "context: must be 2 to 1000000000, got 1");
    AdviceRequest both = patches(100'000'000, AdviceFamily::transformer);
    both.vocab = 32000;
    EXPECT_EQ(refusal(both), "patch: must not be given with vocab: one kind of input");
    AdviceRequest heads = tokens(100'000'000);
    heads.head_dims = {};
    EXPECT_EQ(refusal(heads), "head-dim: must name at least one size");
    heads.head_dims = {64, 5000};
    EXPECT_EQ(refusal(heads), "head-dim: must be 1 to 4096, got 5000");
    AdviceRequest step = tokens(100'000'000);
    step.multiple_of = 100'000;
    EXPECT_EQ(refusal(step).substr(0, 54), "params: 100 M is less than one layer of width 200000 w");
    AdviceRequest words = mixer(1'000'000);
    words.vocab = 32000;
    EXPECT_EQ(advise(words).error().kind, ErrorKind::unsupported);
    EXPECT_EQ(refusal(words),
              "vocab: advice for mixers covers patches and plain vectors; give --patch or --context");
    AdviceRequest rank = patches(100'000'000, AdviceFamily::transformer);
    rank.embedding_rank = 64;
    EXPECT_EQ(refusal(rank), "embedding-rank: needs vocab");
}

}  // namespace
}  // namespace plimsoll::advise

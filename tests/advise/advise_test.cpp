#include "plimsoll/advise/advise.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "plimsoll/advise/scanned_shapes.h"
#include "tests/advise/advise_requests.h"

namespace plimsoll::advise {
namespace {

// Of the shapes of the valley that spend the budget, nothing that ties in expected loss is wider, and nothing
// takes fewer FLOPs for its size.
TEST(Advise, NothingThatTiesIsCheaper) {
    AdviceRequest request = tokens(300'000'000);
    request.multiple_of = 8;
    request.head_dims = {8};
    const CostModel costs(request, Block::gpt2, TableRank::full);
    const auto shapes = scan_shapes(costs);
    const auto choice = choose_shape(costs, shapes);
    ASSERT_EQ(choice.decided, DecidedBy::load_line);
    double best = 1e300;
    for (const auto& shape : shapes) best = std::min(best, shape.in_band ? shape.percent : 1e300);
    EXPECT_LE(choice.shape.percent, best + tie_percent);
    int compared = 0;
    for (const auto& shape : shapes) {
        if (!shape.in_band || static_cast<double>(shape.parameters) < 0.98 * 300e6) continue;
        if (shape.percent > best + tie_percent) continue;
        EXPECT_LE(shape.layout.width, choice.shape.layout.width);
        const auto flops_for_size = [&](const ScannedShape& of) {
            return costs.forward_flops(of.layout) / static_cast<double>(of.parameters);
        };
        // 1e-3: norms and biases are parameters without FLOPs.
        EXPECT_GE(flops_for_size(shape), (1 - 1e-3) * flops_for_size(choice.shape));
        ++compared;
    }
    EXPECT_GE(compared, 3);
}

TEST(Advise, ByLatencyAndMemoryGiveUpAtMostHalfAPercent) {
    const auto by = [](TieBreak what) {
        AdviceRequest request = tokens(300'000'000);
        request.by = what;
        return advised(request).answer;
    };
    const ShapeReport flops = by(TieBreak::flops), latency = by(TieBreak::latency),
                      memory = by(TieBreak::memory);
    EXPECT_LT(latency.layout.depth, flops.layout.depth);
    EXPECT_LT(memory.kv_bytes_per_token, flops.kv_bytes_per_token);
    EXPECT_LE(latency.expected_loss, flops.expected_loss + 0.5);
    EXPECT_LE(memory.expected_loss, flops.expected_loss + 0.5);
}

// Issue 21: 10 M parameters must not become 28 x 128.
TEST(Advise, SmallBudgetsStayInTheValley) {
    for (const std::int64_t budget : {5'000'000, 10'000'000, 30'000'000}) {
        AdviceRequest request = tokens(budget);
        request.usual_widths = true;
        const Advice advice = advised(request);
        EXPECT_EQ(advice.judgement->place, ValleySide::inside) << budget;
        EXPECT_LE(advice.answer.layout.depth, 16) << budget;
    }
}

TEST(Advise, WidthsAndHeadsAreRoundNumbers) {
    for (const std::int64_t budget : budgets(1e7, 1e12, 11)) {
        AdviceRequest request = tokens(budget);
        request.usual_widths = true;
        const Layout answer = advised(request).answer.layout;
        const std::int64_t step = answer.width >= 2048 ? 256 : answer.width >= 1024 ? 128 : 64;
        EXPECT_EQ(answer.width % step, 0) << budget;
        EXPECT_TRUE(answer.head_dim == 64 || answer.head_dim == 128) << budget;
        EXPECT_TRUE(answer.width < 2048 || answer.heads % 2 == 0) << budget;
    }
}

// At one budget the context is no reason for another depth: the scores of attention cost little here.
TEST(Advise, TheDepthHardlyDependsOnTheContext) {
    for (const std::int64_t budget : budgets(2e9, 4e11, 15)) {
        std::int64_t least = deepest_scanned, most = 0;
        for (const std::int64_t context : {128, 1024, 8192}) {
            AdviceRequest request = tokens(budget, 32000, context);
            request.usual_widths = true;
            const auto depth = advised(request).answer.layout.depth;
            least = std::min(least, depth), most = std::max(most, depth);
        }
        EXPECT_LE(static_cast<double>(most), 1.3 * static_cast<double>(least)) << budget;
    }
}

// At the sizes of published models the advice is near what their authors chose, and never far deeper than the
// line.
TEST(Advise, TiesGoToTheWiderShape) {
    struct Known {
        std::int64_t budget, low, high;
    };
    for (const auto& [budget, low, high] :
         {Known{7'000'000'000, 32, 48}, Known{70'000'000'000, 70, 90}, Known{405'000'000'000, 100, 130}}) {
        AdviceRequest request = tokens(budget, 32000, 128);
        request.usual_widths = true;
        const auto depth = advised(request).answer.layout.depth;
        EXPECT_GE(depth, low) << budget;
        EXPECT_LE(depth, high) << budget;
    }
}

TEST(Advise, AWarningNamesWhatTakesTheBudget) {
    const auto warning = [](const AdviceRequest& request) {
        const Advice advice = advised(request);
        return advice.warnings.empty() ? std::string() : advice.warnings.front();
    };
    AdviceRequest positions = tokens(3'000'000, 256, 8192);
    positions.multiple_of = 32;
    positions.head_dims = {32, 64, 128};
    EXPECT_NE(warning(positions).find("--block llama"), std::string::npos) << warning(positions);
    EXPECT_NE(warning(tokens(30'000'000)).find("a smaller vocabulary"), std::string::npos);
    EXPECT_EQ(warning(tokens(300'000'000)), "");
    // A vocabulary of at least half the width limits little: no warning against what the rules accept.
    EXPECT_EQ(warning(tokens(10'000'000, 256, 128)), "");
}

// The narrower of two mixers of one depth lies in Navon's window.
TEST(Advise, AMixerThatIsTooWideForItsDepthIsNarrowed) {
    const CostModel costs(mixer(20'000'000), Block::gpt2, TableRank::full);
    int narrowed = 0;
    for (const auto& shape : scan_shapes(costs)) {
        if (shape.widest) continue;
        EXPECT_TRUE(shape.in_band) << shape.layout.depth;
        ++narrowed;
    }
    EXPECT_GT(narrowed, 0);
}

TEST(Advise, PatchesAreJudgedByTheSameLine) {
    const Advice advice = advised(patches(86'000'000, AdviceFamily::transformer));
    EXPECT_EQ(advice.decided, DecidedBy::load_line);
    EXPECT_EQ(advice.judgement->place, ValleySide::inside);
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

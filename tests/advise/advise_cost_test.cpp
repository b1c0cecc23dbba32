#include <gtest/gtest.h>

#include "plimsoll/advise/cost.h"
#include "plimsoll/arch/count.h"

namespace plimsoll::advise {
namespace {

AdviceRequest text_request(std::int64_t vocab, std::int64_t context) {
    AdviceRequest request;
    request.parameters = 100'000'000;
    request.vocab = vocab;
    request.context = context;
    return request;
}

AdviceRequest patches(AdviceFamily family) {
    AdviceRequest request;
    request.parameters = 100'000'000;
    request.family = family;
    request.image = {224, 224, 3, 16, 16};
    request.context = 196 + (family == AdviceFamily::transformer ? 1 : 0);
    request.classes = 1000;
    return request;
}

AdviceRequest vectors(std::int64_t context) {
    AdviceRequest request;
    request.parameters = 100'000'000;
    request.family = AdviceFamily::mixer;
    request.context = context;
    return request;
}

void expect_equal_to_arch(const CostModel& costs, const Layout& layout) {
    const auto spec = costs.spec(layout);
    ASSERT_TRUE(arch::validate(spec).ok())
        << arch::to_text(spec) << ": " << arch::validate(spec).error().text();
    arch::CountOptions options;
    options.context = costs.request().vocab > 0 ? costs.request().context : 0;
    const auto counted = arch::count(spec, options);
    ASSERT_TRUE(counted.ok()) << counted.error().text();
    EXPECT_EQ(counted->parameters.text(), std::to_string(costs.parameters(layout))) << arch::to_text(spec);
    EXPECT_EQ(counted->forward_flops.real(), costs.forward_flops(layout)) << arch::to_text(spec);
    EXPECT_EQ(counted->kv_bytes_per_token.real(), costs.kv_bytes_per_token(layout)) << arch::to_text(spec);
}

TEST(AdviseCost, ClosedFormsAreArchsCounts) {
    auto ranked = text_request(50257, 2048);
    ranked.embedding_rank = 96;
    auto odd_heads = text_request(32000, 1024);
    odd_heads.head_dims = {100, 48};
    for (const auto& request :
         {text_request(32000, 1024), text_request(257, 64), ranked, odd_heads,
          patches(AdviceFamily::transformer), patches(AdviceFamily::mixer), vectors(0), vectors(128)}) {
        for (const auto block : {Block::gpt2, Block::llama}) {
            for (const auto table : {TableRank::full, TableRank::half, TableRank::given}) {
                if (table == TableRank::given && !request.embedding_rank) continue;
                const CostModel costs(request, block, table, true);
                for (const std::int64_t depth : {1, 12, 33}) {
                    for (const std::int64_t width : {64, 192, 768, 1600, 4800}) {
                        if (costs.allowed(width)) expect_equal_to_arch(costs, costs.layout(depth, width));
                    }
                }
            }
        }
    }
}

TEST(AdviseCost, TheWidestFitsAndTheNextDoesNot) {
    for (const std::int64_t budget : {3'000'000, 100'000'000, 2'000'000'000}) {
        const CostModel costs(text_request(32000, 1024), Block::gpt2, TableRank::full);
        for (const std::int64_t depth : {1, 2, 7, 24, 300}) {
            const std::int64_t width = costs.widest(depth, budget);
            if (width > 0) {
                EXPECT_LE(costs.parameters(costs.layout(depth, width)), budget);
            }
            EXPECT_GT(costs.parameters(costs.layout(depth, width + 64)), budget);
        }
    }
}

TEST(AdviseCost, HeadsAreTheLargestSizeThatLeavesFour) {
    const CostModel costs(text_request(32000, 1024), Block::gpt2, TableRank::full);
    const auto heads = [&](std::int64_t width) {
        const Layout layout = costs.layout(1, width);
        return std::pair(layout.heads, layout.head_dim);
    };
    EXPECT_EQ(heads(640), std::pair(std::int64_t{10}, std::int64_t{64}));  // not 5 of 128: even
    EXPECT_EQ(heads(576), std::pair(std::int64_t{9}, std::int64_t{64}));
    EXPECT_EQ(heads(256), std::pair(std::int64_t{4}, std::int64_t{64}));
    EXPECT_EQ(heads(64), std::pair(std::int64_t{1}, std::int64_t{64}));
}

TEST(AdviseCost, OnlyLlamaHasHeadsThatDoNotDivide) {
    auto request = text_request(32000, 1024);
    request.head_dims = {100};
    EXPECT_FALSE(CostModel(request, Block::gpt2, TableRank::full).allowed(640));
    EXPECT_FALSE(CostModel(request, Block::llama, TableRank::full).allowed(640));
    EXPECT_FALSE(CostModel(request, Block::gpt2, TableRank::full, true).allowed(640));
    const CostModel llama(request, Block::llama, TableRank::full, true);
    EXPECT_TRUE(llama.allowed(640));
    EXPECT_EQ(llama.layout(1, 640).heads, 7);
}

TEST(AdviseCost, HalfRankIsAtLeastHalfTheWidth) {
    const CostModel costs(text_request(50257, 1024), Block::gpt2, TableRank::half);
    EXPECT_EQ(costs.layout(1, 64).embedding_rank, 0);  // 64 of 64 is no factorisation
    EXPECT_EQ(costs.layout(1, 128).embedding_rank, 64);
    EXPECT_EQ(costs.layout(1, 320).embedding_rank, 192);
}

}  // namespace
}  // namespace plimsoll::advise

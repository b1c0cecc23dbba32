#include <algorithm>

#include <gtest/gtest.h>

#include "plimsoll/advise/scanned_shapes.h"
#include "plimsoll/advise/shape_capacity.h"
#include "plimsoll/arch/count.h"
#include "plimsoll/theory/ids/status.h"
#include "tests/advise/advise_requests.h"

// Whole advice at real sizes: the certificates take a few tenths of a second each.
namespace plimsoll::advise {
namespace {

TEST(AdviseWhole, NoShapeSpendsMoreThanTheBudget) {
    for (const std::int64_t budget : budgets(3e6, 1e12, 7)) {
        const Advice advice = advised(tokens(budget));
        EXPECT_LE(advice.answer.parameters, budget);
        for (const auto& shape : advice.alternatives) EXPECT_LE(shape.parameters, budget) << shape.label;
        for (const auto& shape : advice.rivals) EXPECT_LE(shape.parameters, budget) << shape.label;
    }
}

TEST(AdviseWhole, CountsAreThoseOfTheSpec) {
    for (const auto& request :
         {tokens(100'000'000), tokens(10'000'000, 50257), patches(86'000'000, AdviceFamily::transformer),
          patches(60'000'000, AdviceFamily::mixer), mixer(5'000'000)}) {
        const Advice advice = advised(request);
        EXPECT_EQ(arch::parameter_count(advice.answer.spec).text(), std::to_string(advice.answer.parameters));
        EXPECT_TRUE(arch::validate(advice.answer.spec).ok());
        const auto again = arch::parse_spec(arch::to_text(advice.answer.spec));
        ASSERT_TRUE(again.ok());
        EXPECT_EQ(arch::parameter_count(*again).text(), std::to_string(advice.answer.parameters));
    }
}

// What a network costs by the load line, or its capacity for mixers: more budget never makes it worse.
TEST(AdviseWhole, ALargerBudgetNeverGetsAWorseShape) {
    const auto merit = [](const AdviceRequest& request) {
        const ScannedShape shape = chosen(request).shape;
        return request.family == AdviceFamily::mixer ? shape.capacity : -shape.percent;
    };
    for (const auto& kind :
         {tokens(0), tokens(0, 257), tokens(0, 50257, 8192), tokens(0, 32000, 1'000'000),
          patches(0, AdviceFamily::transformer), patches(0, AdviceFamily::mixer), mixer(0)}) {
        double before = -1e300;
        for (const std::int64_t budget : budgets(1e7, 1e11, 25)) {
            AdviceRequest request = kind;
            request.parameters = budget;
            if (!affordable(request)) continue;
            const double now = merit(request);
            EXPECT_GE(now, before) << budget << " vocab " << kind.vocab << " context " << kind.context;
            before = now;
        }
    }
}

// A factorised table is chosen for small budgets and ends as they grow.
TEST(AdviseWhole, FactorisedTablesEndAsBudgetsGrow) {
    bool factorised = false, full = false;
    for (const std::int64_t budget : budgets(5e6, 6e7, 12)) {
        const Advice advice = advised(tokens(budget, 50257));
        const bool half = advice.answer.layout.embedding_rank > 0;
        EXPECT_FALSE(half && full) << budget;
        (half ? factorised : full) = true;
    }
    EXPECT_TRUE(factorised && full);
}

TEST(AdviseWhole, TheAnswerLiesInTheValleyWhenAnyShapeDoes) {
    for (const auto& kind : {tokens(0), tokens(0, 257), patches(0, AdviceFamily::transformer), mixer(0)}) {
        for (const std::int64_t budget : budgets(2.2e6, 1e12, 21)) {
            AdviceRequest request = kind;
            request.parameters = budget;
            const CostModel costs(request, Block::gpt2, TableRank::full);
            const auto shapes = scan_shapes(costs);
            if (shapes.empty()) continue;
            const auto choice = choose_shape(costs, shapes);
            const bool feasible =
                std::any_of(shapes.begin(), shapes.end(), [](const auto& s) { return s.in_band; });
            EXPECT_EQ(choice.shape.in_band, feasible) << budget;
            EXPECT_EQ(choice.decided == DecidedBy::outside, !feasible) << budget;
        }
    }
}

TEST(AdviseWhole, TheCertifiedEndsHoldTheFastCapacity) {
    for (const auto& request : {tokens(100'000'000), tokens(20'000'000, 257), tokens(10'000'000, 50257),
                                patches(86'000'000, AdviceFamily::transformer), mixer(5'000'000)}) {
        const Advice advice = advised(request);
        EXPECT_LE(advice.certified_lower, advice.certified_upper);
        // 5 %: docs/measurements/theory.md, width 64 and 16 positions or more.
        EXPECT_GE(advice.answer.capacity, 0.95 * advice.certified_lower);
        EXPECT_LE(advice.answer.capacity, 1.05 * advice.certified_upper);
        EXPECT_LT(advice.proved_lower, advice.certified_upper);
    }
}

// The budget of GPT-2 small, which is 12 x 768.
TEST(AdviseWhole, TheBudgetOfGpt2IsSpentAboutAsItsAuthorsDid) {
    const Advice advice = advised(tokens(124'439'808, 50257));
    EXPECT_GE(advice.answer.layout.depth, 12);
    EXPECT_LE(advice.answer.layout.depth, 18);
    EXPECT_EQ(*advice.saturated, 8);  // CAPACITY 2
    EXPECT_EQ(advice.decided, DecidedBy::load_line);
}

// R7 and Wies et al., figure 1: bytes ask for a narrower, deeper network than words.
TEST(AdviseWhole, ASmallVocabularyMakesItDeeper) {
    const Advice words = advised(tokens(100'000'000)), bytes = advised(tokens(100'000'000, 257));
    EXPECT_GT(bytes.answer.layout.depth, words.answer.layout.depth);
    EXPECT_TRUE(rank_suffices(bytes.request, bytes.answer.layout));
    EXPECT_FALSE(rank_suffices(bytes.request, words.answer.layout));
    EXPECT_TRUE(bytes.warnings.empty());
    EXPECT_NE(bytes.sentences.front().find("Shapes wider than 514 were passed over"), std::string::npos);
    EXPECT_EQ(words.sentences.front().find("passed over"), std::string::npos);
    const Advice wide = advised(tokens(1'000'000'000, 257));
    ASSERT_FALSE(wide.warnings.empty());
    EXPECT_EQ(wide.warnings.front().substr(0, 36), "257 tokens give the input rank 257, ");
}

TEST(AdviseWhole, EveryReasonHasItsSource) {
    for (const auto& request : {tokens(100'000'000), mixer(10'000'000)}) {
        for (const auto& reason : advised(request).reasons) {
            EXPECT_TRUE(theory::has_status(reason.claim)) << reason.name;
            EXPECT_FALSE(reason.reading.empty()) << reason.name;
            EXPECT_EQ(reason.rule.front(), 'R') << reason.name;
        }
    }
}

TEST(AdviseWhole, EveryCapacityIsANumber) {
    for (const auto& request : {tokens(7'000'000'000'000), tokens(100'000'000'000, 257, 64),
                                patches(10'000'000'000, AdviceFamily::transformer), mixer(1'000'000'000)}) {
        const Advice advice = advised(request);
        for (const auto& point : advice.curve)
            EXPECT_TRUE(point.capacity > 0 && std::isfinite(point.capacity));
        for (const auto& shape : advice.rivals)
            EXPECT_TRUE(shape.capacity > 0 && std::isfinite(shape.capacity));
    }
}

TEST(AdviseWhole, TheBestIsNoWorseThanAnyShapeShown) {
    const Advice advice = advised(tokens(100'000'000));
    for (const auto& shape : advice.alternatives) EXPECT_LE(shape.capacity_share, 1 + 1e-9) << shape.label;
    for (const auto& shape : advice.rivals) EXPECT_LE(shape.capacity_share, 1 + 1e-9) << shape.label;
}

TEST(AdviseWhole, JsonHasTheNumbersOfTheAdvice) {
    const Advice advice = advised(tokens(100'000'000));
    const Json json = to_json(advice);
    EXPECT_EQ(json["answer"]["parameters"], advice.answer.parameters);
    EXPECT_EQ(json["answer"]["depth"], advice.answer.layout.depth);
    EXPECT_EQ(json["answer"]["log3_capacity"], advice.answer.capacity);
    EXPECT_EQ(json["alternatives"].size(), advice.alternatives.size());
    EXPECT_EQ(json["rivals"].size(), advice.rivals.size());
    EXPECT_EQ(json["curve"].size(), advice.curve.size());
    const auto spec = arch::parse_spec(json["answer"]["spec"].get<std::string>());
    ASSERT_TRUE(spec.ok());
    EXPECT_EQ(arch::parameter_count(*spec).text(), std::to_string(advice.answer.parameters));
}

}  // namespace
}  // namespace plimsoll::advise

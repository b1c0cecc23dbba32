// The three verbs judge depth by one line: advise's answer, written as a config and audited, and fit's
// favourite.
#include <cmath>

#include <gtest/gtest.h>

#include "plimsoll/advise/advise.h"
#include "plimsoll/advise/emit.h"
#include "plimsoll/audit/diagnose.h"
#include "plimsoll/fit/propose/field.h"
#include "plimsoll/formats/hf_config/hf_config.h"
#include "tests/fit/looks.h"

namespace plimsoll::fit {
namespace {

constexpr int draws = 200;

// Budgets from 1 M to 100 B, evenly in the logarithm, with vocabularies and contexts as people have them.
advise::AdviceRequest drawn(int i) {
    const double share = (i + 0.5) / draws;
    advise::AdviceRequest request;
    request.parameters = std::llround(1e6 * std::pow(1e5, share));
    request.vocab =
        std::vector<std::int64_t>{257, 4096, 32000, 50257, 128256}[static_cast<std::size_t>(i % 5)];
    request.context = std::vector<std::int64_t>{256, 1024, 4096}[static_cast<std::size_t>(i % 3)];
    request.block = i % 2 == 0 ? advise::Block::gpt2 : advise::Block::llama;
    request.usual_widths = true;
    if (request.parameters < 10'000'000) {
        request.multiple_of = 32;
        request.head_dims = {32, 64, 128};
    }
    return request;
}

TEST(OneJudgement, AuditAgreesWithEveryAnswerOfAdvise) {
    int answered = 0, definite = 0;
    for (int i = 0; i < draws; ++i) {
        const auto request = drawn(i);
        SCOPED_TRACE(std::to_string(request.parameters) + " vocabulary " + std::to_string(request.vocab));
        const auto advice = advise::advise(request);
        if (!advice.ok()) continue;  // the table alone costs more than the budget
        ++answered;
        if (advice->decided == advise::DecidedBy::load_line) ++definite;
        EXPECT_EQ(advice->decided == advise::DecidedBy::load_line,
                  advice->judgement->place == advise::Place::inside);
        const auto emission = advise::emission_of(*advice, "config.json");
        if (emission.stock_class.empty()) continue;
        const auto config = parse_json(emission.content, "config.json");
        ASSERT_TRUE(config.ok());
        const auto shape = formats::shape_from_config(*config, "config.json");
        ASSERT_TRUE(shape.ok()) << shape.error().text();
        const auto report = audit::diagnose({*shape, std::nullopt, "config.json", nullptr});
        const auto* valley = report.find("depth-valley");
        ASSERT_NE(valley, nullptr);
        EXPECT_NEAR(*valley->value, advice->answer.depth_cost.percent, 1e-9);
        EXPECT_EQ(valley->severity == audit::Severity::ok, advice->decided == advise::DecidedBy::load_line);
        EXPECT_EQ(report.count(audit::Severity::severe), 0U) << verdict(report);
    }
    EXPECT_GE(answered, 9 * draws / 10);
    EXPECT_GE(10 * definite, 9 * answered);
}

TEST(OneJudgement, FitsFavouriteLiesInTheValley) {
    const auto look = text_look();
    int inside = 0, made = 0;
    for (int i = 0; i < draws; ++i) {
        const auto budget = std::llround(5e4 * std::pow(600, (i + 0.5) / draws));
        const auto field = make_field("transformer", look.inputs[1], look, budget, "gpt2");
        ASSERT_TRUE(field.ok());
        if (field->shapes.empty()) continue;
        ++made;
        const FieldShape& favourite = favourite_of(*field);
        const auto judged = advise::judge_depth(favourite.depth, favourite.width);
        EXPECT_NE(judged.place, advise::Place::too_shallow) << budget;
        EXPECT_NE(judged.place, advise::Place::too_deep) << budget;
        if (judged.place == advise::Place::inside) ++inside;
    }
    EXPECT_GE(made, 9 * draws / 10);
    EXPECT_GE(10 * inside, 9 * made);
}

}  // namespace
}  // namespace plimsoll::fit

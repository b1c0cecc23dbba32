// The three verbs judge depth by one line: advise's answer, written as a config and audited, and fit's
// favourite.
#include <cmath>

#include <gtest/gtest.h>

#include "plimsoll/advise/advise.h"
#include "plimsoll/advise/emit.h"
#include "plimsoll/audit/diagnose.h"
#include "plimsoll/fit/propose/field.h"
#include "plimsoll/formats/hf_config/hf_config.h"
#include "plimsoll/target/spec_shape.h"
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
                  advice->judgement->place == advise::ValleySide::inside);
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

// Whether audit finds the depth of a network inside the valley; it must say what the load line says.
bool audited_inside(const audit::Report& report, std::int64_t depth, std::int64_t width) {
    const auto judged = advise::judge_depth(depth, width);
    EXPECT_EQ(report.count(audit::Severity::severe), 0U) << verdict(report);
    const auto* valley = report.find("depth-valley");
    EXPECT_NE(valley, nullptr);
    if (valley == nullptr) return false;
    EXPECT_NEAR(*valley->value, judged.cost.percent, 1e-9);
    EXPECT_EQ(valley->severity == audit::Severity::ok, judged.place == advise::ValleySide::inside);
    return valley->severity == audit::Severity::ok;
}

// One budget, three verbs: what fit races first, what advise answers, and what audit says of both.
TEST(OneJudgement, FitAdviseAndAuditAgreeOnEveryBudget) {
    const auto look = text_look();
    const auto& input = look.inputs[1];
    int made = 0, inside = 0;
    for (int i = 0; i < draws; ++i) {
        const auto budget = std::llround(5e4 * std::pow(600, (i + 0.5) / draws));
        SCOPED_TRACE(budget);
        const auto field = make_field("transformer", input, look, budget, "gpt2");
        ASSERT_TRUE(field.ok());
        advise::AdviceRequest request;
        request.parameters = budget;
        request.vocab = input.vocab;
        request.context = input.tokens;
        request.multiple_of = 8;
        request.head_dims = {8, 16, 32, 64};
        const auto advice = advise::advise(request);
        if (field->shapes.empty() || !advice.ok()) continue;
        ++made;
        const FieldShape& favourite = favourite_of(*field);
        const auto shape = target::shape_from_spec(favourite.spec, "favourite");
        const auto report = audit::diagnose({shape, std::nullopt, "favourite", nullptr});
        const bool fits = audited_inside(report, favourite.depth, favourite.width);
        const auto judged = advise::judge_depth(favourite.depth, favourite.width);
        EXPECT_NE(judged.place, advise::ValleySide::too_shallow);
        EXPECT_NE(judged.place, advise::ValleySide::too_deep);
        const auto& answer = advice->answer.layout;
        const bool advised = advice->decided == advise::DecidedBy::load_line;
        EXPECT_EQ(advised,
                  advise::judge_depth(answer.depth, answer.width).place == advise::ValleySide::inside);
        if (fits && advised) ++inside;
    }
    EXPECT_GE(made, 9 * draws / 10);
    EXPECT_GE(10 * inside, 9 * made);
}

}  // namespace
}  // namespace plimsoll::fit

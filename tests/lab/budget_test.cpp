#include "plimsoll/lab/sweep/budget.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/format.h"
#include "tests/lab/sweep_support.h"

namespace plimsoll::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string with_budget(const std::string& spec, const std::string& budget) {
    return "[base]\nmodel.spec = \"" + spec + "\"\ndata.name = \"x\"\n[budget]\n" + budget;
}

double off(const Job& job) {
    const double budget = job.values[0].get<double>();
    return std::abs(job.counted.real() - budget) / budget;
}

// The law of a budget: each job is within the tolerance by arch's own count, and no other width is nearer.
TEST(Budget, EveryJobMeetsItsBudgetAndNoOtherWidthIsNearer) {
    for (const char* way : {"honest", "non-embedding", "levine", "wies"}) {
        const Plan plan =
            planned(text_base + "[axes]\nmodel.depth = [2, 4, 8]\nmodel.heads = [1, 4]\n[budget]\n" +
                    "parameters = ['256K', '2M']\nwithin = 0.07\ncount = '" + way + "'\n");
        ASSERT_EQ(plan.jobs.size(), 12u) << way;
        for (const Job& job : plan.jobs) {
            const auto& spec = std::get<arch::TransformerSpec>(job.config.model.spec);
            EXPECT_LE(off(job), 0.07);
            EXPECT_EQ(job.counted, *counting_way(way)->count(spec));
            EXPECT_EQ(job.parameters, arch::parameter_count(spec));
            for (const std::int64_t step : {-spec.heads, spec.heads}) {
                if (spec.width + step < 1) continue;
                const auto other = arch::parse_spec(
                    fmt::format("transformer:depth={},width={},heads={},vocab=256,context=32", spec.depth,
                                spec.width + step, spec.heads));
                Job moved = job;
                moved.counted = *counting_way(way)->count(*other);
                EXPECT_GE(off(moved), off(job)) << way << " " << spec.width << " " << step;
            }
        }
    }
}

// floor(sqrt((budget // depth) // 2)), the widths of Navon & Bronstein's code.
TEST(Budget, NavonsWidthsAsTheirCodeHasThem) {
    const Plan plan = planned(with_budget(
        "mixer:patch=4,image=32,expansion=1,classes=100",
        "parameters = ['32K', '64K', '128K', '256K']\ncount = 'navon'\nat_most = true\nwithin = 0.2\n"
        "[axes]\nmodel.depth = [1, 2, 3, 5, 9, 17, 33]\n"));
    ASSERT_EQ(plan.jobs.size(), 28u);
    for (const Job& job : plan.jobs) {
        const auto budget = job.values[0].get<std::int64_t>(), depth = job.values[1].get<std::int64_t>();
        const auto width = static_cast<std::int64_t>(std::sqrt(static_cast<double>((budget / depth) / 2)));
        EXPECT_EQ(job.values[2].get<std::int64_t>(), width) << budget << " " << depth;
    }
}

TEST(Budget, WidthsAreMultiplesOfANumberOrAField) {
    const Plan heads = planned(with_budget("transformer:depth=4,heads=6,vocab=256", "parameters = '1M'\n"));
    EXPECT_EQ(heads.jobs.at(0).values[1].get<std::int64_t>() % 6, 0);
    const Plan wide = planned(with_budget("transformer:depth=4,heads=4,vocab=256",
                                          "parameters = '1M'\nmultiple_of = 32\nwithin = 0.2\n"));
    EXPECT_EQ(wide.jobs.at(0).values[1].get<std::int64_t>() % 32, 0);
    const Plan fields = planned(with_budget("transformer:depth=4,heads=4,head_dim=16,kv_heads=2,vocab=256",
                                            "parameters = '1M'\nmultiple_of = 'model.kv_heads'\n"));
    EXPECT_EQ(fields.jobs.at(0).values[1].get<std::int64_t>() % 2, 0);
}

TEST(Budget, OtherFieldsThanTheWidthCanMove) {
    const Plan plan =
        planned(with_budget("transformer:width=64,heads=4,vocab=256,context=32",
                            "parameters = ['500K', '5M']\nadjust = 'model.depth'\nwithin = 0.05\n"));
    EXPECT_THAT(column(plan, "model.depth"), ElementsAre("10", "100"));
    for (const Job& job : plan.jobs) EXPECT_LE(off(job), 0.05);
}

TEST(Budget, WhatNoWidthMeetsNamesTheNearest) {
    const std::string sweep =
        with_budget("transformer:depth=8,heads=8,vocab=256,context=32", "parameters = [30000, 30900]\n");
    EXPECT_EQ(refusal(sweep),
              "sweep.toml: budget=30000: no model.width meets 30,000 parameters to within 2 %: 8 gives 9,296 "
              "(-69.0 %), 16 gives 30,880 (+2.9 %)");
    const Plan plan = planned(sweep + "skip_unreachable = true\n");
    EXPECT_EQ(plan.jobs.size(), 1u);
    EXPECT_EQ(plan.unreachable, 1u);
    ASSERT_EQ(plan.notes.size(), 1u);
    EXPECT_THAT(plan.notes[0], HasSubstr("left out: budget=30000: no model.width meets 30,000"));
}

TEST(Budget, OneSideMayBeMissing) {
    EXPECT_THAT(
        refusal(with_budget("transformer:depth=8,heads=8,vocab=256,context=32", "parameters = 100\n")),
        ::testing::EndsWith("to within 2 %: 8 gives 9,296 (+9196.0 %)"));
    EXPECT_THAT(refusal(with_budget("transformer:width=8,heads=8,vocab=256,layer_groups=1",
                                    "parameters = '1T'\nadjust = 'model.depth'\n")),
                HasSubstr("to within 2 %: 100000 gives"));
}

// Four blocks must divide the width: the other widths are passed over, not taken for too large.
TEST(Budget, ValuesThatTheSpecRefusesArePassedOver) {
    const Plan plan =
        planned(with_budget("monarch:depth=2,blocks=4,classes=10", "parameters = '10K'\nwithin = 0.1\n"));
    ASSERT_EQ(plan.jobs.size(), 1u);
    EXPECT_LE(off(plan.jobs[0]), 0.1);
}

TEST(Budget, WrongKeysAndValuesAreRefused) {
    const auto refused = [](const std::string& line) {
        return refusal(with_budget("transformer:depth=4,heads=4,vocab=256", "parameters = '1M'\n" + line));
    };
    EXPECT_EQ(refused("witin = 0.1\n"), "sweep.toml:4: budget: unknown key 'witin' (did you mean within?)");
    EXPECT_EQ(refused("within = 2\n"),
              "sweep.toml:6: budget.within: must be a share from 0 to below 1, as 0.02; got 2");
    EXPECT_EQ(refused("count = 'levin'\n"),
              "sweep.toml:6: budget.count: unknown 'levin' (did you mean levine?)");
    EXPECT_EQ(refused("adjust = 'width'\n"),
              "sweep.toml:6: budget.adjust: unknown key 'width' (did you mean model.width?)");
    EXPECT_EQ(refused("adjust = 'train.batch'\n"),
              "sweep.toml:6: budget.adjust: train.batch is not a field of the spec");
    EXPECT_EQ(refused("adjust = 'model.heads'\n"),
              "sweep.toml:2: base.model.spec: model.heads is given twice, also at sweep.toml:4: budget");
    EXPECT_EQ(
        refused("multiple_of = 0\n"),
        "sweep.toml:6: budget.multiple_of: must be a whole number from 1 on, or a field as \"model.heads\"");
    EXPECT_EQ(refused("at_most = 1\n"), "sweep.toml:6: budget.at_most: must be true or false");
    EXPECT_EQ(refused("count = 'navon'\n"),
              "sweep.toml: budget=1000000: budget.count: navon counts mixers with hidden layers only, got "
              "transformer");
    EXPECT_EQ(refusal(with_budget("transformer:depth=4,heads=4", "parameters = ['64Q']\n")),
              "sweep.toml:5: budget.parameters: must be numbers of parameters such as 64K, got 64Q");
    EXPECT_EQ(refusal(with_budget("transformer:depth=4,heads=4", "within = 0.1\n")),
              "sweep.toml:4: budget.parameters: is missing: [\"64K\", \"256K\"]");
}

}  // namespace
}  // namespace plimsoll::lab

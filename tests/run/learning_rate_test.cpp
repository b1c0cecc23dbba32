#include <cmath>

#include <gtest/gtest.h>

#include "plimsoll/theory/numbers/ball.h"
#include "plimsoll/theory/papers/wies_bounds.h"
#include "tests/run/config_support.h"

namespace plimsoll::run {
namespace {

RunConfig schedule(ScheduleKind kind, std::int64_t warmup, double ratio) {
    RunConfig config;
    config.optimizer.lr = 0.5;
    config.schedule = {kind, warmup, ratio};
    return config;
}

TEST(LearningRate, WarmUpIsAStraightLineFromZero) {
    for (const auto kind : {ScheduleKind::constant, ScheduleKind::linear, ScheduleKind::cosine}) {
        const RunConfig config = schedule(kind, 4, 0.25);
        EXPECT_EQ(learning_rate(config, 0, 12), 0);
        EXPECT_EQ(learning_rate(config, 1, 12), 0.125);
        EXPECT_EQ(learning_rate(config, 3, 12), 0.375);
        EXPECT_EQ(learning_rate(config, 4, 12), 0.5);
    }
}

TEST(LearningRate, ByHand) {
    const RunConfig constant = schedule(ScheduleKind::constant, 4, 0.25);
    const RunConfig linear = schedule(ScheduleKind::linear, 4, 0.25);
    const RunConfig cosine = schedule(ScheduleKind::cosine, 4, 0.25);
    // Half way from step 4 to 12 the height is one half: 0.125 + 0.375 / 2; a quarter of the way the cosine's
    // is (1 + sqrt(1/2)) / 2.
    EXPECT_EQ(learning_rate(constant, 8, 12), 0.5);
    EXPECT_EQ(learning_rate(linear, 8, 12), 0.3125);
    EXPECT_EQ(learning_rate(linear, 6, 12), 0.40625);
    EXPECT_DOUBLE_EQ(learning_rate(cosine, 8, 12), 0.3125);
    EXPECT_DOUBLE_EQ(learning_rate(cosine, 6, 12), 0.125 + 0.375 * (1 + std::sqrt(0.5)) / 2);
    EXPECT_EQ(learning_rate(constant, 12, 12), 0.5);
    EXPECT_EQ(learning_rate(linear, 12, 12), 0.125);
    EXPECT_EQ(learning_rate(cosine, 12, 12), 0.125);
}

TEST(LearningRate, TheEdgesHaveNoGaps) {
    EXPECT_EQ(learning_rate(schedule(ScheduleKind::cosine, 0, 0), 0, 10), 0.5) << "no warm-up";
    EXPECT_EQ(learning_rate(schedule(ScheduleKind::cosine, 10, 0), 10, 10), 0.5) << "nothing but warm-up";
    EXPECT_EQ(learning_rate(schedule(ScheduleKind::linear, 0, 0), 1, 1), 0);
    EXPECT_THROW((void)learning_rate(schedule(ScheduleKind::linear, 0, 0), 11, 10), Bug);
    EXPECT_THROW((void)learning_rate(schedule(ScheduleKind::linear, 0, 0), -1, 10), Bug);
}

TEST(LearningRate, NeverRisesAfterTheWarmUp) {
    for (const auto kind : {ScheduleKind::linear, ScheduleKind::cosine}) {
        const RunConfig config = schedule(kind, 10, 0.1);
        for (std::int64_t step = 11; step <= 200; ++step)
            EXPECT_LE(learning_rate(config, step, 200), learning_rate(config, step - 1, 200)) << step;
    }
}

RunConfig wsd(std::int64_t warmup, std::int64_t decay, double ratio) {
    RunConfig config = schedule(ScheduleKind::wsd, warmup, ratio);
    config.schedule.decay = decay;
    return config;
}

TEST(LearningRate, OfWsdIsWarmUpThenThePeakThenALine) {
    // Peak 1/2 and end 1/8: a quarter of the decay takes 3/32. All of it is exact in binary.
    const RunConfig config = wsd(4, 4, 0.25);
    const std::vector<double> rates{0,   0.125, 0.25,    0.375,  0.5,     0.5,  0.5,
                                    0.5, 0.5,   0.40625, 0.3125, 0.21875, 0.125};
    for (std::size_t step = 0; step < rates.size(); ++step)
        EXPECT_EQ(learning_rate(config, static_cast<std::int64_t>(step), 12), rates[step]) << step;
    EXPECT_EQ(learning_rate(wsd(0, 1, 0), 11, 12), 0.5);
    EXPECT_EQ(learning_rate(wsd(0, 1, 0), 12, 12), 0);
}

TEST(LearningRate, WsdWithoutAStablePartIsLinear) {
    for (std::int64_t step = 0; step <= 12; ++step)
        EXPECT_EQ(learning_rate(wsd(4, 8, 0.25), step, 12),
                  learning_rate(schedule(ScheduleKind::linear, 4, 0.25), step, 12))
            << step;
}

// theory has the recipe's rate as a certified ball, written from the paper by itself.
TEST(LearningRate, OfTheRecipeWiesIsTheTheorys) {
    const RunConfig config = parsed(
        "recipe = \"wies\"\n"
        "model.spec = \"transformer:depth=1,width=2,heads=2,vocab=256\"\n"
        "data.name = \"x\"\n");
    const auto total = total_steps(config, 1);
    ASSERT_TRUE(total.ok());
    ASSERT_EQ(*total, 1'000'000);
    for (std::int64_t step = 0; step <= *total; step += 7'919) {
        const double exact = theory::wies_learning_rate(theory::Integer(step), 128).middle();
        EXPECT_NEAR(learning_rate(config, step, *total), exact, 1e-17) << step;
    }
    EXPECT_EQ(learning_rate(config, 12'000, *total), 1.6e-3);
    EXPECT_DOUBLE_EQ(learning_rate(config, 506'000, *total), 0.8e-3);
    EXPECT_EQ(learning_rate(config, *total, *total), 0);
}

}  // namespace
}  // namespace plimsoll::run

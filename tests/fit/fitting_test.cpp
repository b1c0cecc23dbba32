#include "plimsoll/fit/race/fitting.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/fit/propose/propose.h"
#include "plimsoll/fit/race/race_budget.h"
#include "plimsoll/fit/race/race_pace.h"
#include "tests/fit/looks.h"
#include "tests/fit/timed_script.h"
#include "tests/lab/fake_trainer.h"

namespace plimsoll::fit {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// What was asked for cannot race at all: smaller networks do, and the notes say so.
TEST(Fitting, NetworksThatDoNotFitAreMadeSmaller) {
    FitRequest request;
    request.flops = 3e11;
    request.parameters = 3'000'000;
    const auto fitted = fitting(request, text_look(), {}, [] { return 0.0; });
    ASSERT_TRUE(fitted.ok()) << fitted.error().text();
    EXPECT_LT(fitted->proposal.budget, 100'000);
    EXPECT_THAT(fitted->race.notes, Contains(HasSubstr("3.00 M parameters were asked for")));
    EXPECT_GT(fitted->forecast.flops, 0);
    EXPECT_LE(fitted->forecast.flops * static_cast<double>(fitted->forecast.table.size()), 3e11);
}

TEST(Fitting, NetworksThatFitAreThoseThatWereAskedFor) {
    FitRequest request;
    request.flops = 1e13;
    request.parameters = 100'000;
    const auto fitted = fitting(request, text_look(), {}, [] { return 0.0; });
    ASSERT_TRUE(fitted.ok()) << fitted.error().text();
    EXPECT_EQ(fitted->proposal.budget, 100'000);
    EXPECT_TRUE(fitted->race.notes.empty());
    EXPECT_EQ(fitted->forecast.seeds, 3);
}

// An hour and a half, so that the starts of this test's processes, which a loaded machine makes slow, are
// nothing.
TEST(Fitting, ASlowMachineGetsSmallerNetworksUnlessASizeWasAskedFor) {
    const lab::FakeTrainer slow(timed_script("2"));  // two steps a second
    FitRequest request;
    request.seconds = 5000;
    lab::RunnerOptions runner;
    runner.program = slow.program();
    const auto usual = default_budget(request, text_look()).parameters;
    const auto fitted = fitting(request, text_look(), runner, [] { return 5000.0; });
    ASSERT_TRUE(fitted.ok()) << fitted.error().text();
    EXPECT_LT(fitted->proposal.budget, usual);
    EXPECT_THAT(fitted->race.notes, Contains(HasSubstr("trains more slowly than was assumed")));
    EXPECT_LE(fitted->forecast.seconds, 5000.001);
}

// More than a quarter of the time is spent: no second measurement.
TEST(Fitting, LateOnThePaceIsNotMeasuredAgain) {
    const lab::FakeTrainer slow("echo >> \"$0.calls\"\n" + timed_script("2"));
    FitRequest request;
    request.seconds = 5000;
    lab::RunnerOptions runner;
    runner.program = slow.program();
    const auto calls = [&] {
        const auto text = read_text(slow.program().string() + ".calls");
        return text.ok() ? std::ranges::count(*text, '\n') : 0;
    };
    ASSERT_TRUE(fitting(request, text_look(), runner, [] { return 5000.0; }).ok());
    const auto early = calls();
    const auto late = fitting(request, text_look(), runner, [] { return 1500.0; });
    ASSERT_TRUE(late.ok()) << late.error().text();
    EXPECT_LT(calls() - early, early);
    EXPECT_EQ(late->race.plan.pace.size(), networks_of(late->proposal).size());
}

// A GPU on which a step of a stack of three takes 12 ms, whatever its batch: small batches would waste it.
TEST(Fitting, OnAGpuBatchesStayLargeAndRunsLong) {
    const lab::FakeTrainer recorded(
        "steps=$(sed -n 's/^steps = //p' \"$2\"); every=$(sed -n 's/^log_every = //p' \"$2\")\n"
        "for word in \"$@\"; do [ \"$before\" = --runs ] && runs=$word; before=$word; done\n"
        "mkdir -p \"$runs/one\"; step=$every\n"
        "while [ $step -le $steps ]; do\n"
        "  echo \"{\\\"step\\\": $step, \\\"seconds\\\": $((step * 12))e-3}\" >> "
        "\"$runs/one/timings.jsonl\"\n"
        "  step=$((step + every))\n"
        "done\n"
        "echo '{\"runs\": [{\"seconds\": 3}]}'\n");
    FitRequest request;
    request.seconds = 240;
    request.device = "cuda";
    lab::RunnerOptions runner;
    runner.program = recorded.program();
    const auto fitted = fitting(request, text_look(), runner, [] { return 210.0; });
    ASSERT_TRUE(fitted.ok()) << fitted.error().text();
    const auto& [proposal, race, forecast] = *fitted;
    const auto usual = usual_batch(request, text_look(), proposal);
    EXPECT_GE(race.plan.batch, usual / 4);
    EXPECT_GE(forecast.flops, flops_for_steps(text_look(), proposal, forecast.table, 1500, race.plan.batch));
    EXPECT_GE(forecast.table.size(), 8u);
    EXPECT_EQ(forecast.seeds, 3);
    EXPECT_LE(forecast.seconds, 210.001);
}

}  // namespace
}  // namespace plimsoll::fit

#include "plimsoll/lab/jobs/calibrate.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/lab/sweep/plan_rows.h"
#include "tests/lab/fake_trainer.h"
#include "tests/lab/sweep_support.h"

namespace plimsoll::lab {
namespace {

using ::testing::HasSubstr;

const std::string two_shapes =
    "[base]\nmodel.spec = \"transformer:width=8,heads=2,vocab=256,context=32\"\ndata.name = \"x.txt\"\n"
    "train.steps = 1000\nschedule.warmup = 100\n[axes]\nmodel.depth = [1, 2, 3]\n";

// Half a second, and a hundredth of a second for each step and layer.
const std::string honest_script =
    "here=$(dirname \"$0\"); echo \"$@\" >> \"$here/calls\"; cat \"$2\" >> \"$here/configs\"\n"
    "while read -r key equals value; do case $key in steps) steps=$value;; spec) spec=$value;; esac; done < "
    "\"$2\"\n"
    "depth=${spec#*depth=}; depth=${depth%%,*}\n"
    "echo \"{\\\"seconds\\\": $((50 + steps * depth))e-2}\"\n";

TEST(Calibrate, MeasuresTheCheapestAndTheDearestAndDrawsALine) {
    const FakeTrainer trainer(honest_script);
    const Plan plan = planned(two_shapes);
    std::vector<std::uint64_t> told;
    const auto cost =
        calibrate(plan, {.program = trainer.program(),
                         .progress = [&](std::uint64_t done, std::uint64_t) { told.push_back(done); }});
    ASSERT_TRUE(cost.ok()) << cost.error().text();
    ASSERT_EQ(cost->shapes.size(), 2u);
    EXPECT_EQ(cost->shapes[0].id, plan.jobs[0].id);
    EXPECT_EQ(cost->shapes[1].id, plan.jobs[2].id);
    EXPECT_NEAR(cost->shapes[0].seconds_per_step, 0.01, 1e-4);
    EXPECT_NEAR(cost->shapes[1].seconds_per_step, 0.03, 1e-4);
    // The FLOPs of a layer are the same, so the middle one lies on the line.
    EXPECT_NEAR(cost->seconds_per_step(plan.jobs[1].work.flops_per_step), 0.02, 1e-4);
    EXPECT_NEAR(*cost->seconds(plan.jobs[1].work), cost->start_seconds() + 20, 0.1);
    EXPECT_EQ(told, (std::vector<std::uint64_t>{1, 2, 3, 4}));
    const std::string calls = *read_text(trainer.folder() / "calls");
    EXPECT_THAT(
        calls, ::testing::MatchesRegex("(train /[^ ]*/run0.toml --runs /[^ ]*/runs --device cpu --json\n)+"));
    EXPECT_FALSE(std::filesystem::exists(calls.substr(6, calls.find("/run0.toml") - 6)))
        << "the folder is gone";
    const std::string configs = *read_text(trainer.folder() / "configs");
    EXPECT_THAT(configs, HasSubstr("warmup = 0\n"));
    EXPECT_THAT(configs, HasSubstr("eval_batches = 1\n"));
}

// The brief run was held up: what it took says nothing of a step, and nothing is no pace.
TEST(Calibrate, AStepTakesTimeWhateverTheMachineDoes) {
    const FakeTrainer trainer(
        "while read -r key equals value; do case $key in steps) steps=$value;; esac; done < \"$2\"\n"
        "[ $steps = 2 ] && echo '{\"seconds\": 0.9}' || echo '{\"seconds\": 0.03}'\n");
    const auto cost = calibrate(planned(two_shapes), {.program = trainer.program()});
    ASSERT_TRUE(cost.ok()) << cost.error().text();
    for (const auto& shape : cost->shapes) EXPECT_GT(shape.seconds_per_step, 0);
}

// Three seeds as one program, whose seconds are shared.
TEST(Calibrate, AStackIsMeasuredAsOne) {
    const FakeTrainer trainer(honest_script);
    const Plan plan = planned(two_shapes);
    const auto cost = calibrate(plan, {.program = trainer.program(), .stack = 3});
    ASSERT_TRUE(cost.ok()) << cost.error().text();
    EXPECT_NEAR(cost->shapes[0].seconds_per_step, 0.01 / 3, 1e-4);
    const std::string calls = *read_text(trainer.folder() / "calls");
    EXPECT_THAT(calls,
                ::testing::ContainsRegex("train /[^ ]*/run0.toml /[^ ]*/run1.toml /[^ ]*/run2.toml --runs"));
}

// Ten seconds of start, a hundredth of a second for each step and layer of a stack, ten times that for the
// first 40; the last row has an evaluation of five seconds in it.
const std::string recording_script =
    "here=$(dirname \"$0\"); echo \"$@\" >> \"$here/calls\"\n"
    "while read -r key equals value; do case $key in steps) steps=$value;; log_every) every=$value;; "
    "spec) spec=$value;; esac; done < \"$2\"\n"
    "depth=${spec#*depth=}; depth=${depth%%,*}\n"
    "for word in \"$@\"; do [ \"$before\" = --runs ] && runs=$word; before=$word; done\n"
    "mkdir -p \"$runs/one\"; step=$every\n"
    "while [ $step -le $steps ]; do\n"
    "  ticks=$((1000 + step * depth)); [ $step -lt 40 ] && ticks=$((1000 + step * depth * 10))\n"
    "  [ $step = $steps ] && ticks=$((ticks + 500))\n"
    "  echo \"{\\\"step\\\": $step, \\\"seconds\\\": ${ticks}e-2}\" >> \"$runs/one/timings.jsonl\"\n"
    "  step=$((step + every))\n"
    "done\n"
    "echo '{\"runs\": [{\"seconds\": 12}]}'\n";

TEST(Calibrate, OnAGpuTheRowsOfARunSayWhatItsRecordedStepsTake) {
    const FakeTrainer trainer(recording_script);
    const Plan plan = planned(two_shapes);
    const auto cost = calibrate(plan, {.program = trainer.program(), .device = "cuda:1", .stack = 3});
    ASSERT_TRUE(cost.ok()) << cost.error().text();
    ASSERT_EQ(cost->shapes.size(), 2u);
    EXPECT_NEAR(cost->shapes[0].seconds_per_step, 0.01 / 3, 1e-9);
    EXPECT_NEAR(cost->shapes[1].seconds_per_step, 0.03 / 3, 1e-9);
    const std::string calls = *read_text(trainer.folder() / "calls");
    EXPECT_EQ(std::ranges::count(calls, '\n'), 2) << "one process a shape";
    const FakeTrainer without_rows(honest_script);  // 0.5 s and 0.01 s a step
    const auto bound = calibrate(plan, {.program = without_rows.program(), .device = "cuda"});
    ASSERT_TRUE(bound.ok()) << bound.error().text();
    EXPECT_NEAR(bound->shapes[0].seconds_per_step, 2.3 / 180, 1e-9);
}

TEST(Calibrate, OneShapeIsMeasuredOnce) {
    const FakeTrainer trainer(honest_script);
    const Plan plan = planned(
        "seeds = 3\n[base]\nmodel.spec = \"transformer:depth=2,width=8,heads=2,vocab=256\"\n"
        "data.name = \"x.txt\"\ntrain.epochs = 3\n");
    const auto cost = calibrate(plan, {.program = trainer.program()});
    ASSERT_TRUE(cost.ok()) << cost.error().text();
    EXPECT_EQ(cost->shapes.size(), 1u);
    EXPECT_NEAR(cost->seconds_per_step(12345), 0.02, 1e-4);
    EXPECT_FALSE(cost->seconds(plan.jobs[0].work)) << "nobody knows how long an epoch of x.txt is";
    const Json json = plan_json(plan, &*cost);
    EXPECT_EQ(json["calibration"]["device"], "cpu");
    EXPECT_EQ(json["calibration"]["shapes"][0]["id"], plan.jobs[0].id);
    EXPECT_TRUE(json["jobs"][0]["seconds"].is_null());
}

TEST(Calibrate, TheProgramsOwnErrorComesBack) {
    const Plan plan = planned(two_shapes);
    const FakeTrainer failing("echo 'error: data: no such file' >&2; exit 3\n");
    EXPECT_THAT(calibrate(plan, {.program = failing.program()}).error().text(),
                ::testing::AllOf(HasSubstr("calibration: "),
                                 HasSubstr("train ended with 3: error: data: no such file")));
    const FakeTrainer silent("exit 9\n");
    EXPECT_THAT(calibrate(plan, {.program = silent.program()}).error().text(),
                HasSubstr("ended with 9: it printed nothing"));
    const FakeTrainer strange("echo '{}'\n");
    EXPECT_THAT(calibrate(plan, {.program = strange.program()}).error().text(),
                HasSubstr("did not print its seconds"));
    EXPECT_EQ(calibrate(plan, {.program = "/no/such/trainer"}).error().kind, ErrorKind::not_found);
    EXPECT_THAT(calibrate(Plan{}, {.program = "x"}).error().text(), HasSubstr("there is no job to measure"));
}

}  // namespace
}  // namespace plimsoll::lab

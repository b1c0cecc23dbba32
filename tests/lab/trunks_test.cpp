#include "plimsoll/lab/sweep/trunks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/lab/jobs/packing.h"
#include "plimsoll/lab/sweep/plan_rows.h"
#include "plimsoll/run/trunk.h"
#include "tests/lab/sweep_support.h"

namespace plimsoll::lab {
namespace {

using ::testing::ElementsAre;

// Three lengths that decay over the last 200 steps.
std::string lengths(const std::string& more = "") {
    return text_base + "model.depth = 1\nmodel.width = 8\nmodel.heads = 1\n" +
           "schedule = { kind = \"wsd\", warmup = 50, decay = 200, share_trunk = true }\n" + more +
           "[axes]\ntrain.steps = [1000, 2200, 600]\n";
}

std::int64_t steps_of(const std::vector<Work>& work) {
    std::int64_t steps = 0;
    for (const Work& part : work) steps += part.steps.value_or(0);
    return steps;
}

TEST(Trunks, JobsOfSeveralLengthsShareOne) {
    const Plan plan = planned(lengths());
    const auto trunks = trunks_of(plan);
    ASSERT_EQ(trunks.size(), 1u);
    EXPECT_THAT(trunks[0].branches, ElementsAre(0, 1, 2));
    EXPECT_THAT(trunks[0].job.keep, ElementsAre(400, 800, 2000));
    EXPECT_EQ(trunks[0].job.id, run::run_hash(*run::trunk_of(plan.jobs[2].config)));
    EXPECT_EQ(trunk_text(trunks[0]), "trunk of 3 runs: 2,000 steps");
}

TEST(Trunks, AreCountedOnce) {
    const Plan plan = planned(lengths());
    const auto work = shared_work(plan, trunks_of(plan));
    EXPECT_EQ(steps_of(work), (2200 - 200) + 3 * 200);
    EXPECT_EQ(work.back().flops_per_step, plan.jobs[0].work.flops_per_step);
    EXPECT_EQ(steps_of(shared_work(plan, {})), 1000 + 2200 + 600);
    const Json json = plan_json(plan, nullptr);
    ASSERT_EQ(json.at("trunks").size(), 1u);
    EXPECT_EQ(json.at("trunks")[0].at("keep"), Json({400, 800, 2000}));
    EXPECT_EQ(json.at("trunks")[0].at("runs"), Json(ids(plan)));
}

TEST(Trunks, AreOneForEachRateAndSeed) {
    const Plan plan = planned("seeds = 2\n" + lengths() + "optimizer.lr = [1e-3, 1e-2]\n");
    const auto trunks = trunks_of(plan);
    ASSERT_EQ(trunks.size(), 4u);
    for (const Trunk& trunk : trunks) EXPECT_EQ(trunk.branches.size(), 3u);
    EXPECT_EQ(steps_of(shared_work(plan, trunks)), 4 * (2000 + 3 * 200));
}

TEST(Trunks, AreForThoseThatAskForThemAndNeedThem) {
    const Plan plan = planned(lengths());
    const auto trunks = trunks_of(plan, [](std::size_t job) { return job == 2; });
    ASSERT_EQ(trunks.size(), 1u);
    EXPECT_THAT(trunks[0].job.keep, ElementsAre(400));
    EXPECT_TRUE(trunks_of(planned(text_base + "model.depth = 1\nmodel.width = 8\nmodel.heads = 1\n"
                                              "schedule = { kind = \"wsd\", decay = 200 }\n"))
                    .empty())
        << "not asked for";
    EXPECT_TRUE(
        trunks_of(planned(text_base + "model.depth = 1\nmodel.width = 8\nmodel.heads = 1\n"
                                      "schedule = { kind = \"wsd\", decay = 200, share_trunk = true }\n"
                                      "train.steps = 200\n"))
            .empty())
        << "nothing before the decay";
    EXPECT_TRUE(
        trunks_of(
            planned("[base]\nmodel.spec = \"transformer:depth=1,width=8,heads=1,vocab=256,context=32\"\n"
                    "data.name = \"x.txt\"\ntrain.epochs = 3\n"
                    "schedule = { kind = \"wsd\", decay = 20, share_trunk = true }\n"))
            .empty())
        << "the length of an epoch is not known";
    EXPECT_FALSE(
        plan_json(planned(text_base + "model.depth = 1\nmodel.width = 8\nmodel.heads = 1\n"), nullptr)
            .contains("trunks"));
}

// Trunks stack when they end together.
TEST(Trunks, StackByTheLastStepThatIsKept) {
    Plan plan = planned("seeds = 2\n" + lengths());
    const std::size_t jobs = plan.jobs.size();
    for (const Trunk& trunk : trunks_of(plan)) plan.jobs.push_back(trunk.job);
    ASSERT_EQ(plan.jobs.size(), jobs + 2);
    EXPECT_THAT(pack(plan, {jobs, jobs + 1}, {}), ElementsAre(ElementsAre(jobs, jobs + 1)));
    plan.jobs.back().keep.push_back(3000);
    EXPECT_THAT(pack(plan, {jobs, jobs + 1}, {}), ElementsAre(ElementsAre(jobs), ElementsAre(jobs + 1)));
}

}  // namespace
}  // namespace plimsoll::lab

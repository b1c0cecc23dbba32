#include "plimsoll/lab/jobs/packing.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/random.h"
#include "plimsoll/run/stack_rules.h"
#include "tests/lab/sweep_support.h"

namespace plimsoll::lab {
namespace {

using Stacks = std::vector<std::vector<std::size_t>>;

// Two depths, two lengths, three rates and seven seeds: four groups of 21.
Plan mixed_plan() {
    return planned("seeds = 7\n" + text_base +
                   "train.batch = 8\n[axes]\nmodel.depth = [1, 2]\ntrain.steps = [10, 20]\noptimizer.lr = "
                   "[1e-3, 2e-3, 3e-3]\n"
                   "model.width = [16]\nmodel.heads = [2]\n");
}

std::vector<std::size_t> all_jobs(const Plan& plan) {
    std::vector<std::size_t> indices(plan.jobs.size());
    std::iota(indices.begin(), indices.end(), 0);
    return indices;
}

std::vector<PackingOptions> ways() {
    std::vector<PackingOptions> all;
    for (const auto& devices :
         std::vector<std::vector<std::string>>{{"cpu"}, {"cuda"}, {"cuda:0", "cuda:1", "cuda:2"}})
        for (const int workers : {1, 2, 3, 12, 200})
            for (const bool stack : {true, false}) all.push_back({devices, workers, stack});
    return all;
}

TEST(Packing, EveryJobIsInOneStackAndStacksKeepTheOrderOfThePlan) {
    const Plan plan = mixed_plan();
    for (const auto& options : ways()) {
        const Stacks stacks = pack(plan, all_jobs(plan), options);
        std::vector<std::size_t> jobs;
        for (const auto& stack : stacks) {
            EXPECT_TRUE(std::ranges::is_sorted(stack));
            jobs.insert(jobs.end(), stack.begin(), stack.end());
        }
        std::ranges::sort(jobs);
        EXPECT_EQ(jobs, all_jobs(plan));
        EXPECT_TRUE(std::ranges::is_sorted(stacks, {}, [](const auto& stack) { return stack.front(); }));
        EXPECT_EQ(pack(plan, all_jobs(plan), options), stacks) << "the same again";
    }
}

TEST(Packing, RunsOfAStackCanStackHaveOneLengthAndFit) {
    const Plan plan = mixed_plan();
    for (const auto& options : ways()) {
        for (const auto& stack : pack(plan, all_jobs(plan), options)) {
            const run::RunConfig& first = plan.jobs[stack.front()].config;
            EXPECT_LE(stack.size(), options.stack ? most_in_stack(options.devices, first) : 1);
            for (const std::size_t job : stack) {
                EXPECT_FALSE(run::why_not_stacked(first, plan.jobs[job].config));
                EXPECT_EQ(plan.jobs[job].config.train.steps, first.train.steps);
            }
        }
    }
}

TEST(Packing, NoWorkerOfACpuAndNoDeviceIsIdleWhileAStackCanBeCut) {
    const Plan plan = mixed_plan();
    const auto stacks = [&](const std::vector<std::string>& devices, int workers) {
        return pack(plan, all_jobs(plan), {devices, workers, true}).size();
    };
    EXPECT_EQ(stacks({"cpu"}, 1), 24u) << "21 jobs of a group are six stacks of 4 at most";
    EXPECT_EQ(stacks({"cpu"}, 30), 30u);
    EXPECT_EQ(stacks({"cpu"}, 200), 84u) << "each alone";
    EXPECT_EQ(stacks({"cuda"}, 1), 4u);
    EXPECT_EQ(stacks({"cuda"}, 12), 4u) << "one device";
    const Plan small =
        planned("seeds = 4\n" + text_base + "model.depth = 1\nmodel.width = 16\nmodel.heads = 1\n");
    EXPECT_EQ(pack(small, all_jobs(small), {{"cuda:0", "cuda:1"}, 2, true}), (Stacks{{0, 1}, {2, 3}}));
}

TEST(Packing, AGroupIsSharedOutEvenly) {
    const Plan plan = mixed_plan();
    for (const auto& options : ways()) {
        std::map<std::string, std::pair<std::size_t, std::size_t>> sizes;  // smallest and largest by group
        for (const auto& stack : pack(plan, all_jobs(plan), options)) {
            const run::RunConfig& config = plan.jobs[stack.front()].config;
            auto& [least, most] =
                sizes.try_emplace(run::stack_key(config) + std::to_string(config.train.steps), 1000, 0)
                    .first->second;
            least = std::min(least, stack.size());
            most = std::max(most, stack.size());
        }
        for (const auto& [key, range] : sizes) EXPECT_LE(range.second - range.first, 1u);
    }
}

// Stacks as sets of ids, so that they can be compared when the places of jobs differ.
std::set<std::vector<std::string>> by_ids(const Plan& plan, const Stacks& stacks) {
    std::set<std::vector<std::string>> all;
    for (const auto& stack : stacks) {
        std::vector<std::string> ids;
        for (const std::size_t job : stack) ids.push_back(plan.jobs[job].id);
        all.insert(ids);
    }
    return all;
}

// Groups one after the other in any order: their stacks stay what they were.
TEST(Packing, PermutingUnrelatedJobsChangesNothing) {
    const Plan plan = mixed_plan();
    std::map<std::string, std::vector<Job>> groups;
    for (const Job& job : plan.jobs)
        groups[run::stack_key(job.config) + std::to_string(job.config.train.steps)].push_back(job);
    RandomStream random(7, "permutations");
    for (const auto& options : ways()) {
        std::vector<std::vector<Job>> order;
        for (const auto& [key, jobs] : groups)
            order.insert(order.begin() + static_cast<std::ptrdiff_t>(random.below(order.size() + 1)), jobs);
        Plan moved = plan;
        moved.jobs.clear();
        for (const auto& jobs : order) moved.jobs.insert(moved.jobs.end(), jobs.begin(), jobs.end());
        EXPECT_EQ(by_ids(moved, pack(moved, all_jobs(moved), options)),
                  by_ids(plan, pack(plan, all_jobs(plan), options)));
    }
}

TEST(Packing, OnlyTheJobsThatAreAskedFor) {
    const Plan plan = mixed_plan();
    EXPECT_TRUE(pack(plan, {}, {}).empty());
    EXPECT_EQ(pack(plan, {5}, {}), (Stacks{{5}}));
}

run::RunConfig decoder(const std::string& spec, const std::string& more) {
    const auto config = run::parse_run_config(
        "data.name = \"x.txt\"\nmodel.spec = \"transformer:" + spec + "\"\n" + more, "run.toml");
    EXPECT_TRUE(config.ok()) << config.error().text();
    return *config;
}

TEST(Packing, BytesGrowWithEverythingThatIsKept) {
    const std::string shape = "depth=13,width=96,heads=4,vocab=4000,context=304";
    const double bytes = stack_bytes(decoder(shape, "train.batch = 64\n"));
    EXPECT_GT(bytes, 1e9);
    EXPECT_LT(bytes, 5e9);
    EXPECT_GT(stack_bytes(decoder(shape, "train.batch = 128\n")), 1.9 * bytes);
    EXPECT_LT(stack_bytes(decoder(shape, "train.batch = 64\ntrain.precision = \"bf16\"\n")), bytes);
    EXPECT_LT(stack_bytes(decoder(shape, "train.batch = 64\noptimizer.accumulate = 8\n")), 0.2 * bytes);
    EXPECT_GT(stack_bytes(decoder("depth=26,width=96,heads=4,vocab=4000,context=304", "train.batch = 64\n")),
              bytes);
}

TEST(Packing, BoundsByDevice) {
    const auto small = decoder("depth=2,width=32,heads=2,vocab=256,context=64", "train.batch = 4\n");
    const auto middle = decoder("depth=3,width=40,heads=4,vocab=256,context=64", "train.batch = 16\n");
    const auto large = decoder("depth=24,width=1024,heads=16,vocab=50257,context=1024", "train.batch = 64\n");
    const auto raced = decoder("depth=13,width=96,heads=4,vocab=4000,context=304", "train.batch = 64\n");
    EXPECT_EQ(most_on_gpu(small), 32u);
    EXPECT_EQ(most_on_gpu(large), 1u);
    EXPECT_GE(most_on_gpu(raced), 12u);
    EXPECT_EQ(most_on_cpu(small), 4u);
    EXPECT_EQ(most_on_cpu(middle), 1u) << "70 K parameters, 5e8 FLOPs a step";
    EXPECT_EQ(most_on_cpu(large), 1u);
    EXPECT_EQ(most_in_stack({"cuda:0", "cpu"}, small), 4u) << "the tightest of the devices";
}

}  // namespace
}  // namespace plimsoll::lab

// Branches of a trunk: the bytes of the same runs trained from nothing, whatever happens to either.
#include <fstream>

#include "plimsoll/base/format.h"
#include "plimsoll/base/json.h"
#include "plimsoll/run/trunk.h"
#include "plimsoll/store/run_folder.h"
#include "tests/support/error_text.h"
#include "tests/train/train_test_support.h"

namespace plimsoll::train {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;
using Keep = std::vector<std::int64_t>;

// 30 steps of which 7 decay: rows, evaluations and checkpoints of a run's own fall on other steps than 23.
const std::vector<std::string> wsd{"schedule.kind=wsd", "schedule.decay=7", "schedule.warmup=4",
                                   "schedule.share_trunk=true", "train.eval_every=4"};

class BranchTest : public TrainTest {
  protected:
    static run::RunConfig branch(std::int64_t steps, std::vector<std::string> overrides = {},
                                 const char* base = text_run) {
        overrides.insert(overrides.end(), wsd.begin(), wsd.end());
        overrides.push_back(fmt::format("train.steps={}", steps));
        return config_of(base, overrides);
    }
    // Trains the trunk of a config until the last of these steps.
    RunSummary trunk(const run::RunConfig& config, const Keep& keep, const std::function<bool()>& stop = {}) {
        TrainOptions options;
        options.runs = folder_.path() / "runs";
        options.keep = {keep};
        options.stop = stop;
        auto summary = train(*run::trunk_of(config), options);
        EXPECT_TRUE(summary.ok()) << error_text(summary);
        return summary.ok() ? *summary : RunSummary{};
    }
    // The bytes of the run trained from nothing, in a folder that has no trunk.
    std::string from_nothing(const run::RunConfig& config) { return bytes_of(run(config, "alone")); }
    static fs::path weights_of(const RunSummary& summary, std::int64_t step) {
        return summary.folder / fmt::format("checkpoint/step-{}/weights.safetensors", step);
    }
    static std::int64_t steps_made(const RunSummary& summary) {
        const std::string text = read_text(summary.folder / "timings.jsonl").value();
        return std::ranges::count(text, '\n');
    }
    // Trains a branch that cannot use its trunk: it says why, and ends with the right bytes.
    std::string why_from_nothing(const run::RunConfig& config) {
        const auto summary = run(config);
        EXPECT_EQ(bytes_of(summary), from_nothing(config));
        EXPECT_EQ(summary->branch->step, 0);
        EXPECT_THAT(read_text(summary->folder / "log.txt").value(),
                    HasSubstr("trains from scratch, without its trunk " + summary->branch->trunk));
        return summary->branch->problem;
    }
};

struct BranchCase {
    const char* name;
    std::vector<std::string> overrides;
};

class BranchedFamilies : public BranchTest, public ::testing::WithParamInterface<BranchCase> {};

TEST_P(BranchedFamilies, HaveTheBytesOfRunsTrainedFromNothing) {
    const auto longer = branch(30, GetParam().overrides), shorter = branch(19, GetParam().overrides);
    const RunSummary shared = trunk(longer, {12, 23});
    EXPECT_EQ(shared.step, 23);
    EXPECT_FALSE(shared.stopped);
    EXPECT_EQ(shared.id, run::run_hash(*run::trunk_of(shorter)));
    for (const auto& config : {longer, shorter}) {
        const auto made = run(config);
        ASSERT_TRUE(made.ok()) << error_text(made);
        EXPECT_EQ(made->branch->trunk, shared.id);
        EXPECT_EQ(made->branch->step, config.train.steps - 7);
        EXPECT_FALSE(made->resumed);
        EXPECT_EQ(bytes_of(made), from_nothing(config));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Families, BranchedFamilies,
    ::testing::Values(
        BranchCase{"decoder", {"model.dropout=0.2"}},
        BranchCase{"mixer", {"model.spec=mixer:depth=1,channels=12,tokens=16,vocab=256,causal=on"}},
        BranchCase{"sgd", {"optimizer.kind=sgd", "optimizer.momentum=0.9", "optimizer.clip=0.5"}}),
    [](const auto& info) { return std::string(info.param.name); });

// Of three lengths the shared steps are made once: S_max - D + 3 D in all, not the sum of the lengths.
TEST_F(BranchTest, ThreeLengthsMakeTheSharedStepsOnce) {
    const std::vector<std::string> rows{"train.log_every=1"};
    std::int64_t made = steps_made(trunk(branch(30, rows), {5, 12, 23}));
    for (const std::int64_t steps : {12, 19, 30}) made += steps_made(run(branch(steps, rows)).value());
    EXPECT_EQ(made, (30 - 7) + 3 * 7);
}

TEST_F(BranchTest, TheSessionNotesTheTrunkAndHowItWasComputed) {
    const RunSummary shared = trunk(branch(30), {23});
    const auto made = run(branch(30)).value();
    const Json session = read_json(made.folder / "environment.json")->at("sessions").at(0);
    const Json expected{{"run", shared.id},
                        {"step", 23},
                        {"device", "cpu"},
                        {"processes", 1},
                        {"stack", {{"runs", 1}, {"slot", 0}}}};
    EXPECT_EQ(session.at("trunk"), expected) << session.dump();
    EXPECT_THAT(read_text(made.folder / "log.txt").value(),
                HasSubstr("starts from step 23 of its trunk " + shared.id));
}

// Killed before its first own checkpoint it starts from the trunk once more, after it from its own.
TEST_F(BranchTest, AKilledBranchEndsWithTheSameBytes) {
    for (const char* every : {"train.checkpoint_every=10", "train.checkpoint_every=3"}) {
        const auto config = branch(30, {every});
        trunk(config, {23});
        stop_at(config, 25);
        const auto made = run(config);
        EXPECT_EQ(bytes_of(made), from_nothing(config)) << every;
        EXPECT_EQ(made->resumed, std::string_view(every).ends_with("=3"));
    }
}

TEST_F(BranchTest, ATrunkIsKilledStoppedAndExtended) {
    const auto config = branch(30);
    const auto stop_trunk_at = [&](std::int64_t step, const Keep& keep) {
        TrainOptions options;
        options.runs = folder_.path() / "runs";
        options.keep = {keep};
        options.tell = [step](const TrainProgress& progress) {
            if (progress.step == step) throw Stop();
        };
        EXPECT_THROW((void)train(*run::trunk_of(config), options), Stop);
    };
    stop_trunk_at(15, {12, 16});
    trunk(config, {16});
    int asked = 0;
    const RunSummary stopped = trunk(config, {23}, [&] { return ++asked > 2; });
    EXPECT_TRUE(stopped.stopped);
    const std::int64_t there = stopped.step;
    ASSERT_GT(there, 16);
    ASSERT_LT(there, 23);
    const RunSummary shared = trunk(config, {there, 23});
    for (const std::int64_t step : {std::int64_t{12}, std::int64_t{16}, there, std::int64_t{23}})
        EXPECT_TRUE(fs::exists(weights_of(shared, step))) << step;
    for (const std::int64_t steps : {std::int64_t{19}, std::int64_t{23}, there + 7, std::int64_t{30}}) {
        const auto made = run(branch(steps));
        EXPECT_EQ(made->branch->step, steps - 7);
        EXPECT_EQ(bytes_of(made), from_nothing(branch(steps)));
    }
    EXPECT_EQ(trunk(config, {12}).step, 23) << "it is that long already";
}

TEST_F(BranchTest, WithoutATrunkItTrainsFromNothingAndSaysSo) {
    EXPECT_THAT(why_from_nothing(branch(30)), HasSubstr("there is no checkpoint of step 23 or before"));
}

TEST_F(BranchTest, ATrunkThatHasOnlyLaterCheckpointsIsOfNoUse) {
    trunk(branch(30), {23});
    EXPECT_THAT(why_from_nothing(branch(19)), HasSubstr("there is no checkpoint of step 12 or before"));
}

TEST_F(BranchTest, AnEarlierCheckpointIsAsGoodWhenTheRightOneIsDamaged) {
    const RunSummary shared = trunk(branch(30), {12, 23});
    fs::resize_file(weights_of(shared, 23), 100);
    const auto made = run(branch(30));
    EXPECT_EQ(made->branch->step, 12);
    EXPECT_EQ(bytes_of(made), from_nothing(branch(30)));
}

TEST_F(BranchTest, ADamagedTrunkIsLeftAlone) {
    const RunSummary shared = trunk(branch(30), {23});
    fs::resize_file(weights_of(shared, 23), 100);
    EXPECT_THAT(why_from_nothing(branch(30)), HasSubstr("the checkpoint is damaged: has 100 bytes"));
}

// The weights are whole, the optimizer's memory is not: none of both may be used.
TEST_F(BranchTest, HalfATrunkIsNotUsedEither) {
    const RunSummary shared = trunk(branch(30), {23});
    std::fstream(weights_of(shared, 23).replace_filename("optimizer.safetensors"),
                 std::ios::binary | std::ios::in | std::ios::out)
        .write("\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
    EXPECT_THAT(why_from_nothing(branch(30)), HasSubstr("optimizer.safetensors"));
}

TEST_F(BranchTest, ATrunkWithoutItsRowsIsNotUsed) {
    const RunSummary shared = trunk(branch(30), {23});
    fs::resize_file(shared.folder / "metrics.jsonl", 10);
    EXPECT_THAT(why_from_nothing(branch(30)), HasSubstr("the checkpoint of step 23 says"));
}

// An epoch of 200 examples has 25 steps.
TEST_F(BranchTest, RunsByEpochsAndBySteps) {
    const auto by_steps = branch(25, {}, hops_run);
    trunk(by_steps, {18});
    const auto by_epochs = [&] {
        auto config = by_steps;
        config.train.steps = 0;
        config.train.epochs = 1;
        return config;
    }();
    const auto made = run(by_epochs);
    EXPECT_EQ(made->branch->step, 18);
    EXPECT_EQ(bytes_of(made), from_nothing(by_epochs));
}

// Bits depend on the size of a stack and the slot in it: a trunk and its branches have both in common here.
TEST_F(BranchTest, StacksOfTrunksAndBranches) {
    const std::vector<run::RunConfig> branches{branch(30), branch(30, {"seeds.init=2", "optimizer.lr=3e-3"})};
    TrainOptions options;
    options.runs = folder_.path() / "runs";
    options.keep = {{23}, {20, 23}};
    for (const auto& summary :
         train_stack({*run::trunk_of(branches[0]), *run::trunk_of(branches[1])}, options))
        ASSERT_TRUE(summary.ok()) << error_text(summary);
    options.keep.clear();
    const auto made = train_stack(branches, options);
    options.runs = folder_.path() / "alone";
    const auto alone = train_stack(branches, options);
    for (std::size_t k = 0; k < branches.size(); ++k) {
        EXPECT_EQ(made[k]->branch->step, 23);
        EXPECT_EQ(bytes_of(made[k]), bytes_of(alone[k]));
    }
}

}  // namespace
}  // namespace plimsoll::train

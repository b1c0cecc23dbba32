// Several runs as one program: the same losses as alone, bytes that repeat, and members that hurt nobody.
#include <cmath>
#include <cstdlib>
#include <map>

#include <ATen/Parallel.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/json.h"
#include "plimsoll/store/run_list.h"
#include "tests/support/error_text.h"
#include "tests/train/train_test_support.h"

namespace plimsoll::train {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;
using Results = std::vector<Result<RunSummary>>;
using Configs = std::vector<run::RunConfig>;

class StackTest : public TrainTest {
  protected:
    Results stack(const Configs& configs, const std::string& folder = "runs",
                  const std::function<void(TrainOptions&)>& change = {}) {
        TrainOptions options;
        options.runs = folder_.path() / folder;
        if (change) change(options);
        return train_stack(configs, options);
    }
};

// Four runs that differ in everything that runs of a stack may differ in.
Configs four(const std::vector<std::string>& also = {}, const char* base = text_run) {
    const std::vector<std::vector<std::string>> own{
        {"seeds.init=3"},
        {"optimizer.lr=3e-3", "optimizer.weight_decay=0.2", "schedule.warmup=7"},
        {"seeds.data=5", "optimizer.clip=0.3", "schedule.kind=linear", "seeds.dropout=9"},
        {"optimizer.beta2=0.95", "optimizer.eps=1e-6", "schedule.min_lr_ratio=0.3"}};
    Configs configs;
    for (auto overrides : own) {
        overrides.insert(overrides.end(), also.begin(), also.end());
        configs.push_back(config_of(base, overrides));
    }
    return configs;
}

struct StackCase {
    const char* name;
    const char* base;
    std::vector<std::string> overrides;
};

class StackedFamilies : public StackTest, public ::testing::WithParamInterface<StackCase> {};

// In double: what is left is the order of sums.
TEST_P(StackedFamilies, HaveTheLossesOfTheirRunsAlone) {
    std::vector<std::string> overrides = GetParam().overrides;
    overrides.insert(overrides.end(), {"train.precision=fp64", "train.eval_every=10"});
    const Configs configs = four(overrides, GetParam().base);
    const Results together = stack(configs, "together");
    for (std::size_t k = 0; k < configs.size(); ++k) {
        ASSERT_TRUE(together[k].ok()) << error_text(together[k]);
        const RunSummary alone = run(configs[k], "alone").value();
        EXPECT_EQ(together[k]->id, alone.id);
        const auto rows = store::read_metrics(alone.folder).value();
        const auto stacked = store::read_metrics(together[k]->folder).value();
        ASSERT_EQ(rows.size(), stacked.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            ASSERT_EQ(rows[i].contains("loss"), stacked[i].contains("loss"));
            if (!rows[i].contains("loss")) continue;
            EXPECT_NEAR(rows[i]["loss"].get<double>(), stacked[i]["loss"].get<double>(), 1e-8);
            EXPECT_EQ(rows[i]["rate"], stacked[i]["rate"]);
        }
        EXPECT_NEAR(alone.validation.loss, together[k]->validation.loss, 1e-8);
        EXPECT_EQ(alone.validation.targets, together[k]->validation.targets);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Families, StackedFamilies,
    ::testing::Values(
        StackCase{"decoder", text_run, {}}, StackCase{"dropout", text_run, {"model.dropout=0.2"}},
        StackCase{"parts", text_run, {"optimizer.accumulate=4", "optimizer.decay=all"}},
        StackCase{"sgd", text_run, {"optimizer.kind=sgd", "optimizer.momentum=0.9", "optimizer.lr=0.03"}},
        StackCase{"adam", text_run, {"optimizer.kind=adam"}},
        StackCase{"modern",
                  text_run,
                  {"model.spec=transformer:depth=2,width=16,heads=4,kv_heads=2,vocab=256,context=16,"
                   "positions=rope,norm=rms,ffn_matrices=3,activation=silu,bias=off,qk_norm=head"}},
        StackCase{"relative",
                  text_run,
                  {"model.spec=transformer:depth=1,width=16,heads=2,vocab=256,context=16,"
                   "positions=relative"}},
        StackCase{
            "causal_mixer", text_run, {"model.spec=mixer:depth=1,channels=12,tokens=16,vocab=256,causal=on"}},
        StackCase{"encoder", hops_run, {"train.steps=12"}}),
    [](const auto& info) { return std::string(info.param.name); });

class StackedImages : public StackTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(StackedImages, HaveTheLossesOfTheirRunsAlone) {
    const std::string images = write_images("images", 8, Light::quarter, 64, 16);
    Configs configs;
    for (const char* seed : {"1", "2", "3"})
        configs.push_back(
            config_of(hops_run, {fmt::format("model.spec={}", GetParam()), "data.name=" + images,
                                 fmt::format("seeds.init={}", seed), fmt::format("seeds.data={}", seed),
                                 "data.crop=1", "data.flip=true", "train.precision=fp64", "train.batch=10"}));
    const Results together = stack(configs, "together");
    for (std::size_t k = 0; k < configs.size(); ++k) {
        ASSERT_TRUE(together[k].ok()) << error_text(together[k]);
        const RunSummary alone = run(configs[k], "alone").value();
        EXPECT_NEAR(alone.train_loss, together[k]->train_loss, 1e-8);
        EXPECT_NEAR(alone.validation.loss, together[k]->validation.loss, 1e-8);
        EXPECT_EQ(alone.validation.accuracy, together[k]->validation.accuracy);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Families, StackedImages,
    ::testing::Values("mixer:depth=1,channels=8,patch=4,image=8,image_channels=1,classes=4",
                      "rp-mixer:depth=1,channels=8,patch=4,image=8,image_channels=1,classes=4",
                      "sw-mlp:depth=1,width=16,connections=60,bias=on,inputs=64,classes=4",
                      "monarch:depth=1,width=16,blocks=4,second_blocks=4,bias=on,inputs=64,classes=4",
                      "pk:depth=1,width=16,blocks=4,inputs=64,classes=4",
                      "s2-mlp:depth=1,channels=8,patch=4,image=8,image_channels=1,classes=4",
                      "square-mixer:rows=8,cols=8,depth=1"));

TEST_F(StackTest, RepeatsItsBytes) {
    const Configs configs = four();
    const Results one = stack(configs, "one"), two = stack(configs, "two");
    for (std::size_t k = 0; k < configs.size(); ++k) EXPECT_EQ(bytes_of(one[k]), bytes_of(two[k]));
}

// Wide and long enough for every operation of a step to be divided between threads.
TEST_F(StackTest, TheNumberOfThreadsChangesNoBit) {
    const Configs configs = four({"model.spec=transformer:depth=2,width=96,heads=3,vocab=256,context=70",
                                  "train.steps=7", "train.eval_batches=1"});
    const int before = at::get_num_threads();
    std::vector<Results> seen;
    for (const int threads : {1, 2, 3}) {
        at::set_num_threads(threads);
        seen.push_back(stack(configs, "threads" + std::to_string(threads)));
    }
    at::set_num_threads(before);
    for (std::size_t k = 0; k < configs.size(); ++k) {
        EXPECT_EQ(bytes_of(seen[0][k]), bytes_of(seen[1][k]));
        EXPECT_EQ(bytes_of(seen[0][k]), bytes_of(seen[2][k]));
    }
}

TEST_F(StackTest, SaysInEachFolderHowItWasComputed) {
    const Results results = stack(four());
    for (std::size_t k = 0; k < results.size(); ++k) {
        const auto text = read_text(results[k]->folder / "environment.json").value();
        const Json sessions = parse_json(text, "environment.json").value();
        EXPECT_THAT(text, HasSubstr("\"stack\"")) << text;
        const Json stack = sessions.is_array() ? sessions[0]["stack"] : sessions["sessions"][0]["stack"];
        EXPECT_EQ(stack["runs"], 4);
        EXPECT_EQ(stack["slot"], static_cast<int>(k));
    }
}

// Checkpoints of the members are of different steps: those behind catch up first.
TEST_F(StackTest, ResumesWithTheSameBytesWhenItWasKilledAnywhere) {
    Configs configs = four({"model.dropout=0.1"});
    configs[1].train.checkpoint_every = 5;
    configs[2].train.checkpoint_every = 0;
    configs[3].train.log_every = 3;
    const Results whole = stack(configs, "whole");
    for (const std::int64_t at : {5, 10, 18, 24, 30}) {
        const std::string folder = fmt::format("killed{}", at);
        const auto die = [&](TrainOptions& options) {
            options.tell = [&](const TrainProgress& progress) {
                if (progress.step == at) throw Stop();
            };
        };
        EXPECT_THROW((void)stack(configs, folder, die), Stop) << at;
        const Results again = stack(configs, folder);
        for (std::size_t k = 0; k < configs.size(); ++k)
            EXPECT_EQ(bytes_of(again[k]), bytes_of(whole[k])) << "killed at " << at << ", slot " << k;
    }
}

TEST_F(StackTest, StopsAndGoesOnWithTheSameBytes) {
    const Configs configs = four();
    const Results whole = stack(configs, "whole");
    Results last;
    for (int session = 0; session < 40; ++session) {
        int asked = 0;
        last = stack(configs, "stopped", [&](TrainOptions& options) {
            options.stop = [&asked, session] { return ++asked > 2 + session % 3; };
        });
        if (last.front().ok() && !last.front()->stopped) break;
        for (const auto& one : last) EXPECT_TRUE(one.ok() && one->stopped) << error_text(one);
    }
    for (std::size_t k = 0; k < configs.size(); ++k) EXPECT_EQ(bytes_of(last[k]), bytes_of(whole[k]));
}

TEST_F(StackTest, AMemberThatDivergesHurtsNobody) {
    Configs configs = four({"optimizer.kind=sgd"});
    const Results well = stack(configs, "well");
    configs[1].optimizer.lr = 1e30;
    const Results ill = stack(configs, "ill");
    ASSERT_FALSE(ill[1].ok());
    EXPECT_THAT(ill[1].error().text(), HasSubstr("diverged"));
    for (const std::size_t k : {0U, 2U, 3U}) EXPECT_EQ(bytes_of(ill[k]), bytes_of(well[k]));
    // The same command again: what is done stays, and what failed keeps its slot when nobody asks for it.
    const Results again = stack(configs, "ill", [](TrainOptions& options) { options.retry_failed = false; });
    EXPECT_TRUE(again[0]->was_done);
    EXPECT_THAT(again[1].error().text(), HasSubstr("failed before"));
}

TEST_F(StackTest, AMemberThatIsDoneKeepsItsSlot) {
    const Configs configs = four();
    const Results whole = stack(configs, "whole");
    fs::create_directories(folder_.path() / "part");
    for (const std::size_t k : {0U, 3U})
        fs::copy(whole[k]->folder, folder_.path() / "part" / whole[k]->id, fs::copy_options::recursive);
    const Results rest = stack(configs, "part");
    EXPECT_TRUE(rest[0]->was_done);
    EXPECT_FALSE(rest[1]->was_done);
    for (std::size_t k = 0; k < configs.size(); ++k) EXPECT_EQ(bytes_of(rest[k]), bytes_of(whole[k]));
}

TEST_F(StackTest, MembersMayHaveDifferentLengths) {
    Configs configs = four();
    configs[2].train.steps = 12;
    const Results together = stack(configs, "together");
    EXPECT_EQ(together[2]->step, 12);
    EXPECT_EQ(together[0]->step, 30);
    const RunSummary alone = run(configs[2], "alone").value();
    EXPECT_NEAR(alone.validation.loss, together[2]->validation.loss, 1e-3);  // float, 12 steps
}

TEST_F(StackTest, AMemberThatSomebodyElseHasIsLeftAlone) {
    const Configs configs = four();
    const auto held = store::Run::create_or_open(folder_.path() / "runs", run::to_toml(configs[1])).value();
    const Results results = stack(configs);
    ASSERT_FALSE(results[1].ok());
    EXPECT_EQ(results[1].error().kind, ErrorKind::unsupported);
    for (const std::size_t k : {0U, 2U, 3U}) EXPECT_TRUE(results[k].ok()) << error_text(results[k]);
}

// Alone first, then in a stack: the numbers of both go together up to rounding.
TEST_F(StackTest, ARunGoesOnAtAnotherSizeOfStack) {
    const Configs configs = four();
    stop_at(configs[0], 20);
    const Results results = stack(configs);
    ASSERT_TRUE(results[0].ok()) << error_text(results[0]);
    EXPECT_TRUE(results[0]->resumed);
    const RunSummary alone = run(configs[0], "alone").value();
    EXPECT_NEAR(alone.validation.loss, results[0]->validation.loss, 1e-3);  // float, ten steps
}

TEST_F(StackTest, WhatCannotStackSaysWhy) {
    Configs configs = four();
    configs[2].train.batch = 16;
    for (const auto& result : stack(configs)) {
        ASSERT_FALSE(result.ok());
        EXPECT_EQ(result.error().text(),
                  "stack: train.batch must be the same for all runs of a stack, got 8 and 16");
    }
    EXPECT_FALSE(fs::exists(folder_.path() / "runs"));
}

TEST_F(StackTest, SeveralProcessesTrainOneRun) {
    const std::map<std::string, std::string> place{{"WORLD_SIZE", "2"},
                                                   {"RANK", "0"},
                                                   {"LOCAL_RANK", "0"},
                                                   {"MASTER_ADDR", "127.0.0.1"},
                                                   {"MASTER_PORT", "29999"}};
    for (const auto& [name, value] : place) ::setenv(name.c_str(), value.c_str(), 1);
    const Results results = stack(four());
    for (const auto& [name, value] : place) ::unsetenv(name.c_str());
    ASSERT_FALSE(results[0].ok());
    EXPECT_EQ(results[0].error().kind, ErrorKind::unsupported);
    EXPECT_THAT(results[0].error().text(), HasSubstr("a stack of 4 runs is trained by one process"));
}

TEST_F(StackTest, TellsOfAllItsRuns) {
    std::vector<TrainProgress> told;
    stack(four(), "runs", [&](TrainOptions& options) {
        options.tell = [&](const TrainProgress& progress) { told.push_back(progress); };
    });
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told.back().runs, 4);
    EXPECT_EQ(told.back().step, 30);
    EXPECT_GT(told.back().loss, 0.5);
    EXPECT_LT(told.back().loss, 6);  // a mean, not a sum
}

}  // namespace
}  // namespace plimsoll::train

#include "plimsoll/lab/sweep/plan.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/lab/sweep/plan_rows.h"
#include "plimsoll/store/run_folder.h"
#include "tests/lab/sweep_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string whole_base =
    "[base]\n"
    "model.spec = \"transformer:depth=2,width=16,heads=2,vocab=256,context=32\"\n"
    "data.name = \"synthetic:grammar,bytes=20000\"\n";

TEST(Plan, AxesAreACrossProductAndTheLastKeyIsFastest) {
    const Plan plan = planned(whole_base +
                              "[axes]\n"
                              "train.batch = [8, 16]\n"
                              "optimizer.lr = [1e-3, 1e-2, 1e-1]\n"
                              "model.dropout = [0.0]\n");
    EXPECT_THAT(plan.columns, ElementsAre("model.dropout", "optimizer.lr", "train.batch"));
    EXPECT_EQ(plan.combinations, 6u);
    EXPECT_THAT(column(plan, "optimizer.lr"), ElementsAre("0.001", "0.001", "0.01", "0.01", "0.1", "0.1"));
    EXPECT_THAT(column(plan, "train.batch"), ElementsAre("8", "16", "8", "16", "8", "16"));
    for (const Job& job : plan.jobs) {
        EXPECT_EQ(job.id, run::run_hash(job.config));
        EXPECT_EQ(job.id, store::run_id(run::to_toml(job.config)));
        EXPECT_EQ(job.config.optimizer.lr, job.values[1].get<double>());
        EXPECT_EQ(job.config.train.batch, job.values[2].get<std::int64_t>());
    }
}

TEST(Plan, ASweepWithoutAxesIsItsBase) {
    const Plan plan = planned(whole_base);
    ASSERT_EQ(plan.jobs.size(), 1u);
    EXPECT_EQ(plan.jobs[0].config,
              *run::parse_run_config(whole_base.substr(whole_base.find('\n') + 1), "run.toml"));
}

TEST(Plan, ZippedKeysMoveTogether) {
    const Plan plan = planned(text_base +
                              "[[zip]]\n"
                              "model.width = [8, 16, 24]\n"
                              "model.heads = [1, 2, 3]\n"
                              "[axes]\n"
                              "model.depth = {from = 1, to = 4, times = 2}\n");
    EXPECT_EQ(plan.jobs.size(), 9u);
    EXPECT_THAT(plan.columns, ElementsAre("model.depth", "model.heads", "model.width"));
    for (const Job& job : plan.jobs)
        EXPECT_EQ(job.values[2].get<std::int64_t>(), 8 * job.values[1].get<std::int64_t>());
}

TEST(Plan, SeedsSetAllSeedsOfARunAndAreFastest) {
    const Plan plan = planned("seeds = [7, 9]\n" + whole_base + "[axes]\noptimizer.lr = [0.1, 0.2]\n");
    EXPECT_THAT(column(plan, "seed"), ElementsAre("7", "9", "7", "9"));
    for (const Job& job : plan.jobs) {
        const auto seed = job.values[1].get<std::uint64_t>();
        EXPECT_EQ(job.config.seeds, (run::SeedSettings{seed, seed, seed}));
    }
    const auto names = ids(plan);
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 4u);
}

TEST(Plan, FieldsKeepTheDefaultsThatHangOnThem) {
    const Plan plan =
        planned(text_base + "[axes]\nmodel.depth = [2]\nmodel.heads = [2]\nmodel.width = [16, 32]\n");
    ASSERT_EQ(plan.jobs.size(), 2u);
    for (const Job& job : plan.jobs) {
        const auto& spec = std::get<arch::TransformerSpec>(job.config.model.spec);
        EXPECT_EQ(spec.ffn, 4 * spec.width);
        EXPECT_EQ(spec.head_dim * spec.heads, spec.width);
    }
}

TEST(Plan, SpecsThemselvesCanBeAnAxis) {
    const Plan plan = planned(
        "[base]\ndata.name = \"cifar10\"\nmodel.depth = 2\n[axes]\nmodel.spec = "
        "[\"mixer:channels=16,patch=4,image=32,"
        "classes=10\", \"transformer:width=16,heads=2,patch=4,image=32,classes=10\"]\n");
    ASSERT_EQ(plan.jobs.size(), 2u);
    EXPECT_EQ(arch::family_name(plan.jobs[0].config.model.spec), "mixer");
    EXPECT_EQ(arch::family_name(plan.jobs[1].config.model.spec), "transformer");
}

TEST(Plan, ARecipesSpecIsADefaultThatFieldsReplace) {
    const Plan plan = planned(
        "[base]\nrecipe = \"gpt2-small-text\"\ndata.name = \"x.txt\"\n[axes]\nmodel.depth = [6, 12]\n");
    ASSERT_EQ(plan.jobs.size(), 2u);
    EXPECT_EQ(arch::to_text(plan.jobs[0].config.model.spec),
              "transformer:depth=6,width=768,heads=12,vocab=50257");
    EXPECT_EQ(plan.jobs[1].parameters.text(), "124439808");
}

TEST(Plan, TheBaseMayBeAFileBesideTheSweep) {
    const testing::TempDir folder;
    ASSERT_TRUE(atomic_write(folder.path() / "run.toml", whole_base.substr(whole_base.find('\n') + 1)).ok());
    ASSERT_TRUE(
        atomic_write(folder.path() / "sweep.toml", "base = \"run.toml\"\naxes.train.batch = [8, 16]\n").ok());
    const auto sweep = read_sweep(folder.path() / "sweep.toml");
    ASSERT_TRUE(sweep.ok()) << sweep.error().text();
    EXPECT_EQ(ids(*plan(*sweep)), ids(planned(whole_base + "[axes]\ntrain.batch = [8, 16]\n")));
    ASSERT_TRUE(
        atomic_write(folder.path() / "sweep.toml", "base = \"run.toml\"\naxes.model.depth = [8, 16]\n").ok());
    EXPECT_EQ(read_sweep(folder.path() / "sweep.toml").error().text(),
              "run.toml:1: model.spec: model.depth is given twice, also at " +
                  (folder.path() / "sweep.toml").string() + ":2: axes.model.depth");
    ASSERT_TRUE(atomic_write(folder.path() / "sweep.toml", "base = \"no.toml\"\n").ok());
    EXPECT_EQ(read_sweep(folder.path() / "sweep.toml").error().kind, ErrorKind::not_found);
    EXPECT_EQ(read_sweep(folder.path() / "none.toml").error().kind, ErrorKind::not_found);
}

TEST(Plan, KeepLooksAtAxesBeforeAndAtEverythingElseAfter) {
    const std::string axes =
        "[axes]\nmodel.depth = [1, 2, 4, 8]\nmodel.width = [15, 16]\nmodel.heads = [2]\n";
    EXPECT_THAT(refusal(text_base + axes), HasSubstr("heads: must divide width 15, got 2"));
    const Plan plan = planned("keep = [\"model.width == 16\", \"model.depth <= 2 or model.depth == 8\"]\n" +
                              text_base + axes);
    EXPECT_EQ(plan.jobs.size(), 3u);
    EXPECT_EQ(plan.left_out, 5u);
    const Plan small = planned("keep = [\"parameters < 20K\", \"model.width == 16\"]\n" + text_base + axes);
    ASSERT_FALSE(small.jobs.empty());
    for (const Job& job : small.jobs) EXPECT_LT(job.parameters.real(), 20000);
    EXPECT_EQ(small.jobs.size() + small.left_out, small.combinations);
    const Plan defaults = planned("keep = \"model.ffn == 64\"\n" + text_base +
                                  "[axes]\nmodel.depth = [1]\nmodel.width = [8, 16]\nmodel.heads = [2]\n");
    EXPECT_THAT(column(defaults, "model.width"), ElementsAre("16"));
}

TEST(Plan, TheSameRunTwiceIsOneJobAndIsSaid) {
    const Plan plan = planned(whole_base + "[axes]\noptimizer.lr = [0.001, 1e-3, 0.01]\n");
    EXPECT_EQ(plan.jobs.size(), 2u);
    EXPECT_EQ(plan.merged, 1u);
    EXPECT_THAT(plan.notes, ElementsAre("merged: optimizer.lr=0.001 is the same run as job 1"));
    std::string many = "[axes]\noptimizer.lr = [1, 1, 1, 1, 1, 1, 1, 1]\n";
    EXPECT_EQ(planned(whole_base + many).notes.back(), "... and 2 more of these");
}

// Files that say the same with their parts in another order give the same plan.
TEST(Plan, TheOrderOfKeysInTheFileDoesNotMatter) {
    std::vector<std::string> parts{
        "[base]\ndata.name = \"cifar10\"\nrecipe = \"navon-cifar\"\nmodel.spec = "
        "\"mixer:patch=4,image=32,expansion=1,classes=10\"\n",
        "[axes]\noptimizer.lr = [0.01, 0.001]\n\n[axes.model]\ndepth = [1, 2]\n",
        "[[zip]]\ntrain.batch = [64, 128]\noptimizer.weight_decay = [0.1, 0.2]\n",
        "[[zip]]\ndata.crop = [0, 4]\ndata.flip = [true, false]\n",
        "[budget]\nparameters = [\"64K\"]\nwithin = 0.1\n",
    };
    const std::string top = "seeds = 2\nkeep = [\"model.depth > 0\"]\n";
    const auto text = [&] {
        std::string all = top;
        for (const auto& part : parts) all += part;
        return all;
    };
    const Plan first = planned(text());
    EXPECT_EQ(first.jobs.size(), 2u * 2 * 2 * 2 * 2);
    RandomStream stream(1, "order");
    for (int trial = 0; trial < 5; ++trial) {
        for (std::size_t i = parts.size(); i > 1; --i) std::swap(parts[i - 1], parts[stream.below(i)]);
        const Plan again = planned(text());
        EXPECT_EQ(ids(again), ids(first));
        EXPECT_EQ(plan_csv(again, nullptr), plan_csv(first, nullptr));
    }
}

TEST(Plan, RowsForPrograms) {
    const Plan plan =
        planned("seeds = 1\n" + whole_base + "[axes]\noptimizer.lr = [0.5]\nname = ['a, \"b\"']\n");
    const Json json = plan_json(plan, nullptr);
    EXPECT_EQ(json["jobs"][0]["values"],
              Json::parse(R"({"name": "a, \"b\"", "optimizer.lr": 0.5, "seed": 1})"));
    EXPECT_EQ(json["jobs"][0]["id"], plan.jobs[0].id);
    EXPECT_EQ(json["jobs"][0]["steps"], 1000);
    EXPECT_TRUE(json["jobs"][0]["seconds"].is_null());
    EXPECT_TRUE(json["calibration"].is_null());
    EXPECT_EQ(plan_csv(plan, nullptr),
              "id,name,optimizer.lr,seed,parameters,counted,flops_per_step,steps,flops,seconds\n" +
                  plan.jobs[0].id + ",\"a, \"\"b\"\"\",0.5,1,11200,11200," +
                  fmt::format("{}", plan.jobs[0].work.flops_per_step) + ",1000," +
                  fmt::format("{}", *plan.jobs[0].work.flops()) + ",\n");
}

}  // namespace
}  // namespace plimsoll::lab

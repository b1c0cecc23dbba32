#include "plimsoll/lab/experiment/experiment.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "tests/lab/experiment_support.h"
#include "tests/support/error_text.h"

namespace plimsoll::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Experiment, HasItsWordsScalesAndFiles) {
    const MadeExperiment made(experiment_words + R"(
rows = ["runs", "curves"]
[desk]
sweeps = ["small.toml"]
cost = "a minute"
data = ["enwiki"]
[[desk.prepare]]
tokenizer = "tokenizers/a.json"
from = "enwiki"
vocab = 500
bytes = "20M"
[smoke]
sweeps = ["small.toml"]
cost = "a second"
)");
    const auto experiment = read_experiment(made.folder()).value();
    EXPECT_EQ(experiment.id, made.folder().filename());
    EXPECT_EQ(experiment.title, "A title");
    EXPECT_THAT(experiment.rows, ElementsAre("runs", "curves"));
    ASSERT_EQ(experiment.scales.size(), 2U);
    EXPECT_EQ(experiment.scales[0].name, "smoke");  // in the order of size, not of the file
    const Scale& desk = *experiment.scale("desk").value();
    EXPECT_THAT(desk.sweeps, ElementsAre(made.folder() / "small.toml"));
    EXPECT_THAT(desk.data, ElementsAre("enwiki"));
    ASSERT_EQ(desk.prepare.size(), 1U);
    EXPECT_TRUE(desk.prepare[0].tokenizer);
    EXPECT_EQ(desk.prepare[0].vocab, 500);
    EXPECT_EQ(desk.prepare[0].bytes, 20'000'000U);
    EXPECT_THAT(experiment.scale("paper").error().text(), HasSubstr("has no 'paper' (one of: smoke, desk)"));
}

TEST(Experiment, IsFoundByItsFolderWhateverWayThatIsWritten) {
    const MadeExperiment made(experiment_words + one_scale);
    EXPECT_EQ(find_experiment(made.folder().string()).value().id, made.folder().filename());
    EXPECT_EQ(find_experiment(made.folder().string() + "/").value().id, made.folder().filename());
}

TEST(Experiment, IsListedAndFoundByIdInTheFolderOfTheEnvironment) {
    testing::TempDir all;
    for (const char* name : {"second-one", "first-one"}) {
        std::filesystem::create_directories(all.path() / name);
        EXPECT_TRUE(atomic_write(all.path() / name / "experiment.toml", experiment_words + one_scale).ok());
        EXPECT_TRUE(atomic_write(all.path() / name / "small.toml", "").ok());
    }
    std::filesystem::create_directories(all.path() / "notes");  // no experiment
    const auto found = list_experiments(all.path()).value();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].id, "first-one");
    ::setenv("PLIMSOLL_EXPERIMENTS", all.path().c_str(), 1);
    EXPECT_EQ(find_experiment("second-one").value().id, "second-one");
    EXPECT_EQ(find_experiment("secnd-one").error().text(),
              "secnd-one: no experiment of that name, and no folder with an experiment.toml (did you mean "
              "second-one?)");
    EXPECT_THAT(find_experiment("zzz").error().text(), HasSubstr("plimsoll reproduce --list shows all"));
    ::unsetenv("PLIMSOLL_EXPERIMENTS");
    EXPECT_THAT(list_experiments(all.path() / "none").error().text(),
                HasSubstr("$PLIMSOLL_EXPERIMENTS names"));
}

std::string refusal_of(const std::string& toml) {
    const MadeExperiment made(toml);
    const auto experiment = read_experiment(made.folder());
    EXPECT_FALSE(experiment.ok());
    return error_text(experiment);
}

// Each wrong file and the words that say what is wrong.
TEST(Experiment, WhatIsWrongIsNamedWithItsLine) {
    const std::string scale = one_scale;
    const std::pair<std::string, std::string> cases[] = {
        {"tittle = 1\n" + experiment_words + scale, "unknown key 'tittle' (did you mean title?)"},
        {"title = \"only\"\n" + scale, "experiment.toml: source is missing"},
        {experiment_words, "has no scale: [smoke], [desk] or [paper]"},
        {experiment_words + "rows = \"run\"\n" + scale, "rows: unknown 'run' (did you mean runs?)"},
        {experiment_words + "rows = [\"runs\", \"runs\"]\n" + scale, "runs appears twice"},
        {experiment_words + "rows = \"computed\"\n" + scale, "rows = \"computed\" and compute belong"},
        {experiment_words + "compute = \"x\"\n" + scale, "rows = \"computed\" and compute belong"},
        {experiment_words + "rows = \"cka\"\n" + scale, "cka needs the table [pairs]"},
        {experiment_words + "rows = \"strides\"\n" + scale,
         "rows = \"strides\" and strides = [1, ...] belong"},
        {experiment_words + "strides = [1]\n" + scale, "rows = \"strides\" and strides = [1, ...] belong"},
        {experiment_words + "rows = \"strides\"\nstrides = [0]\n" + scale, "whole numbers, 1 or more"},
        {experiment_words + scale + "[pairs]\nof = [\"a\"]\n", "needs two values or more"},
        {experiment_words + "[smoke]\nsweeps = [\"none.toml\"]\ncost = \"x\"\n", "no file none.toml here"},
        {experiment_words + "[smoke]\nsweeps = []\ncost = \"x\"\n", "smoke.sweeps: is missing"},
        {experiment_words + scale + "dta = []\n", "unknown key 'dta' (did you mean data?)"},
        {experiment_words + scale + "[[smoke.prepare]]\nfrom = \"x\"\n", "needs either tokenizer or file"},
        {experiment_words + scale + "[[smoke.prepare]]\nfile = \"../x\"\nfrom = \"synthetic:grammar\"\n",
         "must lie below the folder of the output"},
        {experiment_words + scale + "[[smoke.prepare]]\nfile = \"x\"\nfrom = \"enwiki\"\n",
         "a file is made from a synthetic set"},
        {experiment_words + scale + "[[smoke.prepare]]\ntokenizer = \"x\"\nfrom = \"enwiki\"\n",
         "smoke.prepare[0]: vocab is missing"},
        {experiment_words + scale + "[[smoke.prepare]]\ntokenizer = \"x\"\nfrom = \"y\"\nvocab = true\n",
         "vocab: must be a count such as 500 or \"20M\""},
        {experiment_words + scale + "prepare = \"x\"\n", "smoke.prepare: must be a list of tables"},
        {"pairs = 1\n" + experiment_words + scale, "pairs: must be a table: [pairs]"},
        {experiment_words + scale + "[[smoke.prepare]]\ntokenizer = \"x\"\nfrom = \"y\"\nvocab = 100\n",
         "must be 257 or more"},
    };
    for (const auto& [toml, words] : cases) EXPECT_THAT(refusal_of(toml), HasSubstr(words));
    EXPECT_THAT(refusal_of(experiment_words + "rows = \"run\"\n" + scale),
                HasSubstr("experiment.toml:6: rows"));
}

}  // namespace
}  // namespace plimsoll::lab

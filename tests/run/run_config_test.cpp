#include "plimsoll/run/run_config.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/hash.h"
#include "tests/run/config_support.h"
#include "tests/support/random_spec.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::run {
namespace {

using ::testing::HasSubstr;

TEST(RunConfig, TheResolvedTextHasEveryKey) {
    EXPECT_EQ(to_toml(parsed(text_run)), R"(name = ""
recipe = "none"

[model]
spec = "transformer:depth=2,width=8,heads=2,vocab=256,context=32"
init = "default"
dropout = 0.0

[data]
name = "some.txt"
kind = "auto"
tokenizer = "bytes"
context = "spec"
examples = "all"
validation = "auto"
validation_fraction = 0.1
crop = 0
flip = false
normalize = "channels"

[optimizer]
kind = "adamw"
lr = 0.001
beta1 = 0.9
beta2 = 0.999
eps = 1e-08
momentum = 0.0
nesterov = false
weight_decay = 0.01
decay = "matrices"
clip = "none"
accumulate = 1

[schedule]
kind = "cosine"
warmup = 0
min_lr_ratio = 0.0

[train]
steps = 1000
epochs = "none"
batch = 64
precision = "fp32"
eval_every = "end"
eval_batches = "all"
checkpoint_every = "end"
log_every = 10

[seeds]
init = 1
data = 1
dropout = 1
)");
}

// A key that other schedules do not know is not in their files: the runs of old releases keep their ids.
TEST(RunConfig, KeysOfWsdAreWrittenForWsdOnly) {
    const std::string text =
        to_toml(parsed(text_run + "schedule = { kind = \"wsd\", decay = 100, share_trunk = true }\n"));
    EXPECT_THAT(text, HasSubstr("[schedule]\nkind = \"wsd\"\nwarmup = 0\nmin_lr_ratio = 0.0\ndecay = 100\n"
                                "share_trunk = true\n\n[train]\n"));
    for (const char* kind : {"constant", "linear", "cosine"})
        EXPECT_THAT(to_toml(parsed(text_run, {"schedule.kind=" + std::string(kind)})),
                    HasSubstr("min_lr_ratio = 0.0\n\n[train]\n"));
}

void expect_round_trip(const RunConfig& config) {
    const std::string text = to_toml(config);
    const RunConfig again = parsed(text);
    EXPECT_EQ(again, config) << text;
    EXPECT_EQ(to_toml(again), text);
    EXPECT_EQ(run_hash(again), sha256_hex(text).substr(0, 16));
}

TEST(RunConfig, RoundTripOfEveryKeyAwayFromItsDefault) {
    const RunConfig config = parsed(R"(
name = "a \"quoted\" \\ name, caf\u00e9\n"
recipe = "wies"
model.spec = "transformer:depth=2,width=8,heads=2,vocab=300"
model.init = "ntk"
model.dropout = 0.25
data = { name = "/a b/c.txt", kind = "text", tokenizer = "t.json", context = 16, examples = 99, validation = "dev", validation_fraction = 0.3 }
[optimizer]
kind = "sgd"
lr = 0.1
beta1 = 0.8
beta2 = 0.7
eps = 1e-6
momentum = 0.9
nesterov = true
weight_decay = 5e-4
decay = "all"
clip = 0.3333333333333333
accumulate = 4
[schedule]
kind = "linear"
warmup = 3
min_lr_ratio = 0.05
[train]
epochs = 7
batch = 32
precision = "bf16"
eval_every = 11
eval_batches = 12
checkpoint_every = 13
log_every = 14
[seeds]
init = 9223372036854775807
data = 0
dropout = 77
)");
    EXPECT_EQ(config.name, "a \"quoted\" \\ name, caf\u00e9\n");
    EXPECT_EQ(config.train.steps, 0) << "epochs replace the recipe's steps";
    EXPECT_EQ(config.seeds.init, 9223372036854775807U);
    expect_round_trip(config);
}

TEST(RunConfig, RoundTripOfWsd) {
    for (const char* trunk : {"true", "false"})
        expect_round_trip(parsed(text_run + "schedule = { kind = \"wsd\", decay = 100 }\n",
                                 {"schedule.share_trunk=" + std::string(trunk), "schedule.warmup=900"}));
}

TEST(RunConfig, RoundTripForRandomSpecs) {
    testing::for_random_specs(4, [](const arch::ArchSpec& spec) {
        RunConfig config;
        config.model.spec = spec;
        config.data.name = "x";
        expect_round_trip(config);
    });
}

TEST(RunConfig, TheHashIsThatOfTheTextAndSeesEveryKey) {
    const std::string plain = run_hash(parsed(text_run));
    EXPECT_EQ(plain.size(), 16U);
    EXPECT_EQ(run_hash(parsed(text_run + "optimizer.lr = 1e-3\n")), plain) << "a default that is stated";
    for (const char* change : {"seeds.init=2", "optimizer.lr=2e-3", "name=x", "train.batch=65"})
        EXPECT_NE(run_hash(parsed(text_run, {change})), plain) << change;
}

TEST(RunConfig, OverridesWinAndAreReadAsTheUserMeans) {
    const RunConfig config =
        parsed(text_run + "[optimizer]\nlr = 1.0\n[train]\nsteps = 10\n",
               {"optimizer.lr=3e-4", "train.batch=2K", "optimizer.clip=1",
                "data.name=synthetic:grammar,bytes=100", "optimizer.kind=sgd", "data.tokenizer=\"a.json\"",
                "name=12", "train.steps=1e6", "train.steps = 500"});
    EXPECT_EQ(config.optimizer.lr, 3e-4);
    EXPECT_EQ(config.train.batch, 2000);
    EXPECT_EQ(config.optimizer.clip, 1.0);
    EXPECT_EQ(config.data.name, "synthetic:grammar,bytes=100");
    EXPECT_EQ(config.optimizer.kind, OptimizerKind::sgd);
    EXPECT_EQ(config.data.tokenizer, "a.json");
    EXPECT_EQ(config.name, "12");
    EXPECT_EQ(config.train.steps, 500) << "the last of two";
    expect_round_trip(config);
}

TEST(RunConfig, OverridesThatAreNoneAreRefused) {
    EXPECT_EQ(refusal(text_run, {"optimizer.lr"}),
              "--set: must be key=value, as optimizer.lr=3e-4; got optimizer.lr");
    EXPECT_EQ(refusal(text_run, {"optimizer.lrr=1"}),
              "--set: unknown key 'optimizer.lrr' (did you mean optimizer.lr?)");
    EXPECT_EQ(refusal(text_run, {"optimizer.lr=fast"}), "--set: optimizer.lr: must be more than 0, got fast");
    EXPECT_EQ(refusal(text_run, {"name=\xFF"}), "--set: is not valid UTF-8");
    EXPECT_EQ(refusal(text_run, {"=1"}).substr(0, 22), "--set: unknown key '' ");
}

TEST(RunConfig, UnknownKeysAreErrorsWithASuggestion) {
    const std::vector<std::pair<const char*, const char*>> wrong{
        {"optimizer.rate = 1",
         "unknown key 'optimizer.rate' (one of: kind, lr, beta1, beta2, eps, momentum, nesterov, "
         "weight_decay, "
         "decay, clip, accumulate)"},
        {"optimizer.weigth_decay = 1",
         "unknown key 'optimizer.weigth_decay' (did you mean optimizer.weight_decay?)"},
        {"optimizer.warmup = 1", "unknown key 'optimizer.warmup' (did you mean schedule.warmup?)"},
        {"lr = 1", "unknown key 'lr' (did you mean optimizer.lr?)"},
        {"trian.steps = 1", "unknown key 'trian' (did you mean train?)"},
        {"train.step = 1", "unknown key 'train.step' (did you mean train.steps?)"},
        {"recipes = \"wies\"", "unknown key 'recipes' (did you mean recipe?)"},
        {"seeds = 3", "seeds: is a section: give seeds.init = ..."},
    };
    for (const auto& [line, message] : wrong)
        EXPECT_EQ(refusal(text_run + line + "\n"), std::string("run.toml: ") + message) << line;
}

TEST(RunConfig, MissingKeysAreNamedWithTheirMeaning) {
    EXPECT_EQ(refusal("data.name = \"x\"\n"),
              "run.toml: model.spec is missing: the architecture, as for `plimsoll count`");
    EXPECT_EQ(refusal("model.spec = \"sw-mlp:depth=1,width=4,connections=4\"\n"),
              "run.toml: data.name is missing: what to train on");
}

TEST(RunConfig, ValuesOfTheWrongKindSayWhatIsRight) {
    const std::vector<std::pair<const char*, const char*>> wrong{
        {"train.batch = 0", "train.batch: must be 1..1000000000, got 0"},
        {"train.batch = 1.5", "train.batch: must be 1..1000000000, got 1.5"},
        {"train.batch = true", "train.batch: must be 1..1000000000, got true"},
        {"train.steps = -1", "train.steps: must be 1..1000000000000, or \"none\", got -1"},
        {"optimizer.clip = 0", "optimizer.clip: must be more than 0, or \"none\", got 0"},
        {"optimizer.clip = -1.0", "optimizer.clip: must be more than 0, or \"none\", got -1.0"},
        {"optimizer.lr = nan", "optimizer.lr: must be more than 0, got nan"},
        {"optimizer.lr = inf", "optimizer.lr: must be more than 0, got inf"},
        {"optimizer.beta1 = 1", "optimizer.beta1: must be 0 or more, less than 1, got 1"},
        {"schedule.min_lr_ratio = 1.5", "schedule.min_lr_ratio: must be 0 or more, at most 1, got 1.5"},
        {"model.dropout = 1.0", "model.dropout: must be 0 or more, less than 1, got 1.0"},
        {"data.validation_fraction = 0", "data.validation_fraction: must be more than 0, less than 1, got 0"},
        {"optimizer.nesterov = 1", "optimizer.nesterov: must be true or false, got 1"},
        {"optimizer.kind = \"adamx\"",
         "optimizer.kind: must be adamw|adam|sgd, got adamx (did you mean adamw or adam?)"},
        {"name = 5", "name: must be a text in quotes, got 5"},
        {"recipe = \"weis\"",
         "recipe: must be none|wies|navon-cifar|navon-svhn|gpt2-small-text, got weis (did you mean wies?)"},
        {"seeds.init = -1", "seeds.init: must be 0 or more, got -1"},
    };
    for (const auto& [line, message] : wrong)
        EXPECT_EQ(refusal(text_run + line + "\n"), std::string("run.toml: ") + message) << line;
}

// Whatever stands behind a key, the answer is a config that reads back as itself, or an error at that key.
TEST(RunConfig, EveryKeyWithOddValues) {
    const std::vector<const char*> values{
        "0",         "-1",         "0.5",         "1e300",   "9223372036854775807",
        "true",      "\"\"",       "\"none\"",    "nan",     "[[1], 2]",
        "{ a = 1 }", "2026-11-15", "\"\\u0000\"", "\"64K\"", "\"\\U0001F6A2\""};
    for (const auto& key : config_keys()) {
        for (const char* value : values) {
            const auto config = parse_run_config(text_run, "run.toml", std::vector{key.key + "=" + value});
            if (config.ok())
                expect_round_trip(*config);
            else
                EXPECT_NE(config.error().message, "") << key.key << " = " << value;
        }
    }
}

TEST(RunConfig, ABadSpecIsNamedAtItsKey) {
    EXPECT_EQ(refusal("model.spec = \"transformer:depth=2,width=8,heads=3\"\ndata.name = \"x\"\n"),
              "run.toml: model.spec: heads: must divide width 8, got 3");
}

TEST(RunConfig, AFileThatIsNoTomlGivesLineAndColumn) {
    EXPECT_THAT(refusal("model.spec = \n"), HasSubstr("run.toml:1:"));
}

TEST(RunConfig, IsReadFromAFile) {
    const testing::TempDir folder;
    const auto path = folder.path() / "run.toml";
    EXPECT_EQ(read_run_config(path).error().kind, ErrorKind::not_found);
    std::ofstream(path) << text_run;
    const auto config = read_run_config(path);
    ASSERT_TRUE(config.ok());
    EXPECT_EQ(*config, parsed(text_run));
    std::ofstream(path) << std::string(1'000'001, '#');
    EXPECT_THAT(read_run_config(path).error().text(), HasSubstr("the limit is 1000000"));
}

}  // namespace
}  // namespace plimsoll::run

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/data/catalogue.h"
#include "plimsoll/data/synthetic/synthetic.h"
#include "plimsoll/run/config_fit.h"
#include "tests/run/config_support.h"
#include "tests/support/random_spec.h"

namespace plimsoll::run {
namespace {

using ::testing::HasSubstr;

const std::string mixer_run =
    "model.spec = \"mixer:depth=2,channels=8,patch=4,image=32,classes=10\"\ndata.name = \"cifar10\"\n";

TEST(CheckConfig, SettingsThatContradictOneAnother) {
    const std::vector<std::pair<const char*, const char*>> wrong{
        {"train.steps = 5\ntrain.epochs = 6",
         "train.steps: contradicts train.epochs: give 5 steps or 6 epochs, not both"},
        {"train.steps = \"none\"", "train.steps: is \"none\" and so is train.epochs: give one of them"},
        {"train.steps = 5\nschedule.warmup = 6",
         "schedule.warmup: must be at most the 5 steps of the run, got 6"},
        {"schedule.kind = \"wsd\"", "schedule.decay: wsd needs it: the steps of the decay, 1 or more"},
        {"schedule.decay = 5", "schedule.decay: only schedule.kind = \"wsd\" has it; leave it out"},
        {"schedule.share_trunk = true",
         "schedule.share_trunk: only schedule.kind = \"wsd\" has a trunk; leave it out"},
        {"train.steps = 9\nschedule = { kind = \"wsd\", warmup = 4, decay = 6 }",
         "schedule.decay: must be at most the 5 steps after the warm-up, got 6"},
        {"schedule = { kind = \"wsd\", decay = 0 }",
         "schedule.decay: wsd needs it: the steps of the decay, 1 or more"},
        {"train.batch = 10\noptimizer.accumulate = 4",
         "optimizer.accumulate: must divide train.batch 10, got 4"},
        {"optimizer.momentum = 0.9", "optimizer.momentum: only sgd has it; adam's is beta1"},
        {"optimizer.nesterov = true", "optimizer.nesterov: needs sgd with a momentum above 0"},
        {"optimizer.kind = \"sgd\"\noptimizer.nesterov = true",
         "optimizer.nesterov: needs sgd with a momentum above 0"},
        {"data.context = 33", "data.context: must be at most the spec's context 32, got 33"},
        {"data.crop = 4", "data.crop: is for images; this spec reads tokens"},
        {"data.flip = true", "data.flip: is for images; this spec reads tokens"},
        {"data.kind = \"cifar10\"",
         "model.spec: transformer as given reads tokens, the data are images; give it "
         "a patch and an image size"},
        {"data.tokenizer = \"\"", "data.tokenizer: is empty: bytes, or a tokenizer.json"},
        {"data.validation = \"\"", "data.validation: is empty: auto, or a split"},
        {"model.init = \"gtp2\"",
         "run.toml: model.init: must be default|gpt2|bert|navon|fan-in|ntk, got gtp2 (did you mean gpt2?)"},
    };
    for (const auto& [lines, message] : wrong) EXPECT_EQ(refusal(text_run + lines + "\n"), message) << lines;
    EXPECT_EQ(refusal(mixer_run + "data.context = 5\n"),
              "data.context: is for tokens, which this spec does not read");
    EXPECT_EQ(refusal(mixer_run, {"data.name="}), "data.name: is empty: name a file, folder or set");
}

TEST(CheckConfig, TheEdgesOfTheRulesAreAllowed) {
    EXPECT_EQ(parsed(text_run + "train.steps = 5\nschedule.warmup = 5\n").schedule.warmup, 5);
    EXPECT_EQ(parsed(text_run + "train.steps = 9\nschedule = { kind = \"wsd\", warmup = 4, decay = 5 }\n")
                  .schedule.decay,
              5);
    EXPECT_EQ(parsed(text_run + "data.context = 32\n").data.context, 32);
    EXPECT_EQ(parsed(text_run + "train.batch = 12\noptimizer.accumulate = 4\n").optimizer.accumulate, 4);
    EXPECT_EQ(parsed(mixer_run + "data.crop = 4\ndata.flip = true\n").data.crop, 4);
}

TEST(CheckConfig, OnlyTablesOfPositionsLimitTheContext) {
    const auto with = [](const std::string& positions) {
        return "model.spec = \"transformer:depth=1,width=8,heads=2,vocab=256,context=32,positions=" +
               positions + "\"\ndata.name = \"x\"\ndata.context = 100\n";
    };
    EXPECT_EQ(parsed(with("rope")).data.context, 100);
    EXPECT_THAT(refusal(with("learned")), HasSubstr("at most the spec's context 32"));
    const std::string mixer =
        "model.spec = \"mixer:depth=1,tokens=16,channels=4,vocab=256\"\ndata.name = \"x\"\n";
    EXPECT_EQ(context_length(parsed(mixer)), 16);
    EXPECT_EQ(refusal(mixer + "data.context = 8\n"), "data.context: must be the mixer's tokens 16, got 8");
    EXPECT_EQ(context_length(parsed(text_run)), 32);
    EXPECT_EQ(context_length(parsed(text_run + "data.context = 7\n")), 7);
}

TEST(CheckConfig, ALaterPlaceReplacesStepsByEpochs) {
    const RunConfig config = parsed(text_run + "train.steps = 5\n", {"train.epochs=3"});
    EXPECT_EQ(config.train.steps, 0);
    EXPECT_EQ(config.train.epochs, 3);
    EXPECT_EQ(parsed(text_run + "train.epochs = 5\n", {"train.steps=3"}).train.epochs, 0);
    EXPECT_THAT(refusal(text_run, {"train.epochs=3", "train.steps=3"}), HasSubstr("contradicts"));
}

TEST(CheckConfig, EpochsBecomeStepsOnceTheDataAreKnown) {
    const RunConfig config = parsed(text_run + "train.epochs = 3\nschedule.warmup = 31\n");
    EXPECT_EQ(*total_steps(config, 11), 33);
    EXPECT_EQ(total_steps(config, 10).error().text(),
              "schedule.warmup: must be at most the 30 steps of the run, got 31");
    EXPECT_THAT(total_steps(config, INT64_MAX / 2).error().text(),
                HasSubstr("more steps than can be counted"));
    EXPECT_EQ(*total_steps(parsed(text_run + "train.steps = 7\n"), 11), 7);
}

TEST(CheckConfig, AConfigMadeByHandIsCheckedLikeAFile) {
    RunConfig config = parsed(text_run);
    EXPECT_TRUE(validate(config).ok());
    config.optimizer.lr = -1;
    EXPECT_EQ(validate(config).error().text(), "optimizer.lr: must be more than 0, got -1.0");
    config = parsed(text_run);
    config.seeds.data = UINT64_MAX;
    EXPECT_FALSE(validate(config).ok());
    config = parsed(text_run);
    config.recipe = "mine";
    EXPECT_THAT(validate(config).error().text(), HasSubstr("recipe: must be none|wies"));
}

TEST(DataFit, SyntheticSetsAndTheirNetworks) {
    const std::string attention =
        "model.spec = \"attention:depth=1,width=4,heads=1,embedding=vocab,vocab=16\"\n";
    EXPECT_TRUE(parse_run_config(attention + "data.name = \"synthetic:hops=2\"\n", "f").ok());
    EXPECT_THAT(refusal(attention + "data.name = \"synthetic:grammar\"\n"),
                HasSubstr("vocab must be at least 256 for the tokenizer bytes, got 16"));
    EXPECT_EQ(
        refusal("model.spec = \"square-mixer:depth=1,rows=2,cols=2\"\ndata.name = \"synthetic:hops\"\n"),
        "model.spec: square-mixer as given reads matrices of numbers, the data are tokens; give it a vocab");
    EXPECT_THAT(refusal(text_run, {"data.name=synthetic:teacher,spec=square-mixer:depth=1,rows=2,cols=2"}),
                HasSubstr("the data are matrices of numbers"));
}

// A kind that data learns to read is one that a run can ask for, and the other way round.
TEST(DataFit, TheKindsAreDatas) {
    std::vector<std::string> kinds = data::kind_names();
    kinds.insert(kinds.begin(), "auto");
    EXPECT_EQ(data_kind_names(), kinds);
}

// A name of the catalogue says what the set holds, as its kind does.
TEST(DataFit, TheCatalogueIsAsked) {
    for (const auto& entry : data::catalogue()) {
        const DataSettings by_name{.name = std::string(entry.name)},
            by_kind{.name = "x", .kind = std::string(data::kind_name(entry.kind))};
        ASSERT_TRUE(known_examples(by_name).has_value()) << entry.name;
        EXPECT_EQ(known_examples(by_name), known_examples(by_kind)) << entry.name;
    }
    EXPECT_THAT(refusal(text_run, {"data.name=mnist"}), HasSubstr("the data are images"));
}

// Every kind of synthetic set is known, so that a new one is not forgotten here.
TEST(DataFit, EverySyntheticKindIsKnown) {
    for (const auto& kind : data::synthetic_kinds()) {
        DataSettings data;
        data.name = "synthetic:" + kind.name;
        EXPECT_TRUE(known_examples(data).has_value()) << kind.name;
    }
    EXPECT_FALSE(known_examples({.name = "some/file"}).has_value());
}

// What a set really holds is what its name was taken to mean.
TEST(DataFit, TheNamesTellTheTruth) {
    const auto kind_of = [](const data::Dataset& set) {
        if (std::holds_alternative<data::TextFiles>(set)) return ExampleKind::text;
        if (std::holds_alternative<data::LabelledMatrices>(set)) return ExampleKind::matrices;
        EXPECT_TRUE(std::holds_alternative<data::LabelledSequences>(set));
        return ExampleKind::tokens;
    };
    for (const char* name : {"synthetic:grammar,bytes=1000", "synthetic:shuffled,bytes=1000",
                             "synthetic:hops,count=4,test=2", "synthetic:teacher,count=4,test=2",
                             "synthetic:teacher,count=4,test=2,spec=square-mixer:depth=1,rows=2,cols=2"}) {
        const auto made = data::make_synthetic(name);
        ASSERT_TRUE(made.ok()) << made.error().text();
        EXPECT_EQ(known_examples({.name = name}), kind_of(made->dataset)) << name;
    }
}

TEST(DataFit, WhatEachFamilyReads) {
    const std::vector<std::pair<const char*, InputKind>> specs{
        {"transformer:depth=1,width=2,heads=1,vocab=9", InputKind::tokens},
        {"transformer:depth=1,width=2,heads=1,patch=4,image=8", InputKind::image},
        {"attention:depth=1,width=2,heads=1", InputKind::matrix},
        {"mixer:depth=1,tokens=4,channels=4", InputKind::matrix},
        {"mixer:depth=1,tokens=4,channels=4,vocab=9", InputKind::tokens},
        {"square-mlp:depth=1,rows=2,cols=2", InputKind::matrix},
        {"sw-mlp:depth=1,width=4,connections=4", InputKind::vector},
        {"s2-mlp:depth=1,channels=4,patch=4,image=8", InputKind::image},
    };
    for (const auto& [text, kind] : specs) {
        const auto spec = arch::parse_spec(text);
        ASSERT_TRUE(spec.ok()) << spec.error().text();
        EXPECT_EQ(input_kind(*spec), kind) << text;
    }
}

}  // namespace
}  // namespace plimsoll::run

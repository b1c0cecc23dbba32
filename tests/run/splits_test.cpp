#include "plimsoll/run/splits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::run {
namespace {

using Names = std::vector<std::string>;
using ::testing::ElementsAre;

SetParts parts(const Names& names, const std::string& validation = "auto") {
    DataSettings settings;
    settings.validation = validation;
    const auto result = parts_of(names, settings);
    EXPECT_TRUE(result.ok()) << result.error().text();
    return result.ok() ? *result : SetParts{};
}

TEST(Splits, TheWordsOfANameSayWhatItIsFor) {
    EXPECT_EQ(split_role("train"), SplitRole::train);
    EXPECT_EQ(split_role("enwiki_train_120MB.txt.xz"), SplitRole::train);
    EXPECT_EQ(split_role("rte1_dev"), SplitRole::validation);
    EXPECT_EQ(split_role("validation_matched"), SplitRole::validation);
    EXPECT_EQ(split_role("TRIAL"), SplitRole::validation);
    EXPECT_EQ(split_role("wiki.test.tokens"), SplitRole::test);
    EXPECT_EQ(split_role("extra"), SplitRole::other);
    EXPECT_EQ(split_role("contest.txt"), SplitRole::other) << "a word, not a part of one";
}

TEST(Splits, TheValidationSplitIsHeldOutElseTheTestSplit) {
    const SetParts three = parts({"test", "train", "validation"});
    EXPECT_THAT(three.train.splits, ElementsAre(1));
    EXPECT_THAT(three.held_out.splits, ElementsAre(2));
    const SetParts two = parts({"train", "test", "extra"});
    EXPECT_THAT(two.train.splits, ElementsAre(0));
    EXPECT_THAT(two.held_out.splits, ElementsAre(1));
    EXPECT_EQ(two.held_out.name, "test");
}

// RTE has no training split: its users train on dev.
TEST(Splits, WithoutATrainingSplitDevIsTrainedOn) {
    const SetParts rte = parts({"rte1_dev", "rte1_test", "rte2_dev"});
    EXPECT_THAT(rte.train.splits, ElementsAre(0, 2));
    EXPECT_THAT(rte.held_out.splits, ElementsAre(1));
    EXPECT_EQ(rte.train.name, "rte1_dev + rte2_dev");
    EXPECT_EQ(part_named(Names{"rte1_dev", "rte1_test", "rte2_dev"}, rte, "validation")->splits,
              rte.held_out.splits)
        << "what was trained on is no validation";
    EXPECT_THAT(part_named(Names{"rte1_dev", "rte1_test", "rte2_dev"}, rte, "rte2_dev")->splits,
                ElementsAre(2));
}

TEST(Splits, ASetWithoutSplitsIsCut) {
    for (const Names& names : {Names{"all"}, Names{"one", "two"}, Names{"train"}}) {
        const SetParts cut = parts(names);
        EXPECT_EQ(cut.train.cut, Cut::without_end);
        EXPECT_EQ(cut.held_out.cut, Cut::end);
        EXPECT_EQ(cut.train.splits.size(), names.size());
        EXPECT_EQ(cut.held_out.splits, cut.train.splits);
    }
    EXPECT_EQ(parts({"all"}).held_out.name, "last 10 %");
    EXPECT_EQ(parts({"one", "two"}).held_out.name, "last 10 % of one + two");
}

TEST(Splits, ANamedSplitIsHeldOutAndNeverTrainedOn) {
    const Names names{"fold1", "fold2", "fold3"};
    const SetParts folds = parts(names, "Fold2");
    EXPECT_THAT(folds.train.splits, ElementsAre(0, 2));
    EXPECT_THAT(folds.held_out.splits, ElementsAre(1));
    const SetParts dev = parts({"train", "dev", "test"}, "test");
    EXPECT_THAT(dev.train.splits, ElementsAre(0));
    EXPECT_THAT(dev.held_out.splits, ElementsAre(2));
    DataSettings settings;
    settings.validation = "fold4";
    EXPECT_EQ(parts_of(names, settings).error().text(),
              "data.validation: there is no 'fold4' (one of: auto, fold1, fold2, fold3)");
}

TEST(Splits, FilesOfATextAreSplitsWhenAllSayWhatTheyAreFor) {
    const auto splits = [](std::vector<std::string> files) { return text_splits(files); };
    EXPECT_EQ(splits({"d/wiki_train.txt", "d/wiki_valid.txt"}),
              (std::vector<std::string>{"wiki_train.txt", "wiki_valid.txt"}));
    EXPECT_EQ(splits({"d/test/1.txt", "d/train/1.txt"}), (std::vector<std::string>{"test", "train"}));
    const std::vector<std::string> one{"all"};
    EXPECT_EQ(splits({"d/train.txt", "d/notes.txt"}), one);
    EXPECT_EQ(splits({"d/train.txt"}), one);
    EXPECT_EQ(splits({"d/valid.txt", "d/test.txt"}), one);
}

TEST(Splits, TheLastShareHasOneExampleAtLeast) {
    EXPECT_EQ(last_examples(100, 0.1), 10U);
    EXPECT_EQ(last_examples(5, 0.1), 1U);
    EXPECT_EQ(last_examples(0, 0.1), 0U);
    EXPECT_EQ(last_tokens_begin(1000, 0.1), 900U);
    EXPECT_EQ(last_tokens_begin(5, 0.1), 4U);
}

TEST(Splits, WhatAnEvaluationMayAskFor) {
    const Names names{"train", "test"};
    const SetParts own = parts(names);
    EXPECT_EQ(*part_named(names, own, "train"), own.train);
    EXPECT_EQ(*part_named(names, own, "validation"), own.held_out);
    EXPECT_EQ(*part_named(names, own, "test"), own.held_out);
    EXPECT_THAT(part_named(names, own, "all")->splits, ElementsAre(0, 1));
    EXPECT_EQ(part_named(names, own, "dev").error().text(),
              "split: there is no 'dev' (one of: train, validation, all, test)");
    const Names whole{"all"};
    const SetParts cut = parts(whole);
    EXPECT_EQ(*part_named(whole, cut, "train"), cut.train);
    EXPECT_EQ(*part_named(whole, cut, "validation"), cut.held_out);
    EXPECT_EQ(part_named(whole, cut, "test").error().text(),
              "split: there is no 'test' (one of: train, validation, all)");
}

}  // namespace
}  // namespace plimsoll::run

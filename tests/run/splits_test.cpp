#include "plimsoll/run/splits.h"

#include <algorithm>
#include <iterator>

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

std::vector<std::uint16_t> labels_in_order(const std::vector<std::size_t>& counts) {
    std::vector<std::uint16_t> labels;
    for (std::size_t c = 0; c < counts.size(); ++c)
        labels.insert(labels.end(), counts[c], static_cast<std::uint16_t>(c));
    return labels;
}

// A folder of classes: one class after the other.
TEST(Splits, LabelledExamplesAreHeldOutByClass) {
    DataSettings settings;
    const auto parts = labelled_parts_of(Names{"all"}, settings).value();
    EXPECT_EQ(parts.held_out.cut, Cut::drawn);
    EXPECT_EQ(parts.held_out.name, "10 % of each class, drawn with seed 1");
    const auto labels = labels_in_order({100, 40, 2, 1});
    const auto train = rows_of(labels, Cut::without_drawn, settings),
               held = rows_of(labels, Cut::drawn, settings);
    EXPECT_EQ(train.size() + held.size(), labels.size());
    std::vector<std::size_t> both, counts(4);
    std::ranges::merge(train, held, std::back_inserter(both));
    for (std::size_t i = 0; i < both.size(); ++i) EXPECT_EQ(both[i], i) << "every example is in one part";
    for (const std::size_t row : held) ++counts[labels[row]];
    EXPECT_THAT(counts, ElementsAre(10, 4, 1, 0));
    EXPECT_EQ(held, rows_of(labels, Cut::drawn, settings)) << "the same every time";
    settings.split_seed = 2;
    EXPECT_NE(held, rows_of(labels, Cut::drawn, settings));
    settings.split_seed = 0;
    EXPECT_EQ(labelled_parts_of(Names{"all"}, settings)->held_out.cut, Cut::end);
    settings.split_seed = 1;
    settings.validation = "train";
    EXPECT_EQ(labelled_parts_of(Names{"train", "test"}, settings)->held_out.cut, Cut::end)
        << "the last part of the training split was asked for";
    EXPECT_EQ(labelled_parts_of(Names{"train", "test"}, DataSettings{})->held_out.cut, Cut::whole);
}

TEST(Splits, AHeldOutPartWithoutAClassIsRefused) {
    EXPECT_TRUE(check_held_out({0, 1, 1}, {1, 0}, {"cat", "dog"}).ok());
    EXPECT_EQ(
        check_held_out({0, 0, 1}, {1}, {"cat", "dog"}).error().text(),
        "data.validation: the part held out has no example of 1 of the 2 classes trained on ('cat'), so "
        "its accuracy says nothing about them; with data.validation = \"auto\" a set without splits holds "
        "out a share of each class");
}

TEST(Splits, WholeFilesOfATextAreHeldOut) {
    const DataSettings settings;
    Names files;
    std::vector<std::uint64_t> sizes(40, 100);
    for (int i = 0; i < 40; ++i) files.push_back("src/" + std::to_string(i) + ".cpp");
    const auto names = text_splits(files, sizes, settings);
    ASSERT_EQ(names.size(), files.size());
    EXPECT_EQ(std::ranges::count(names, "validation (4 of 40 files)"), 4);
    EXPECT_EQ(std::ranges::count(names, "train (36 of 40 files)"), 36);
    const auto parts_of_files = parts_of(names, settings).value();
    EXPECT_EQ(parts_of_files.held_out.name, "validation (4 of 40 files)");
    EXPECT_EQ(parts_of_files.train.splits.size(), 36U);
    DataSettings order = settings;
    order.split_seed = 0;
    EXPECT_THAT(text_splits(files, sizes, order), ElementsAre("all"));
    // Three files of which none is small enough, and files that say themselves what they are for.
    EXPECT_THAT(text_splits(Names{"a", "b", "c"}, std::vector<std::uint64_t>{5, 5, 5}, settings),
                ElementsAre("all"));
    EXPECT_THAT(text_splits(Names{"train.txt", "valid.txt"}, std::vector<std::uint64_t>{90, 10}, settings),
                ElementsAre("train.txt", "valid.txt"));
}

}  // namespace
}  // namespace plimsoll::run

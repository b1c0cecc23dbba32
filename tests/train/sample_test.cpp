#include "tests/support/error_text.h"
#include "tests/train/train_test_support.h"

namespace plimsoll::train {
namespace {

using ::testing::HasSubstr;

class SampleTest : public TrainTest {
  protected:
    static std::string refused(const std::filesystem::path& folder, const SampleOptions& options) {
        const auto result = sample(folder, options);
        EXPECT_FALSE(result.ok());
        return error_text(result);
    }
    const std::filesystem::path& text_folder() {
        if (folder_of_run_.empty()) folder_of_run_ = run(config_of(text_run)).value().folder;
        return folder_of_run_;
    }
    std::filesystem::path folder_of_run_;
};

TEST_F(SampleTest, ASeedIsAText) {
    SampleOptions options{.prompt = "the ", .tokens = 40};
    const std::string text = sample(text_folder(), options).value();
    EXPECT_EQ(text.size(), 44U);
    EXPECT_EQ(text.substr(0, 4), "the ");
    EXPECT_EQ(sample(text_folder(), options).value(), text);
    options.seed = 2;
    EXPECT_NE(sample(text_folder(), options).value(), text);
}

TEST_F(SampleTest, ColdOrNarrowIsTheLikeliest) {
    const SampleOptions cold{.prompt = "the ", .tokens = 20, .temperature = 0};
    const SampleOptions narrow{.prompt = "the ", .tokens = 20, .top_k = 1, .seed = 7};
    EXPECT_EQ(sample(text_folder(), cold).value(), sample(text_folder(), narrow).value());
}

TEST_F(SampleTest, APaddedVocabularyGivesNoIdsWithoutBytes) {
    const auto summary =
        run(config_of(text_run, {"model.spec=transformer:depth=1,width=16,heads=2,vocab=2000,context=16",
                                 "train.steps=1", "train.checkpoint_every=end", "train.log_every=1"}));
    const SampleOptions options{.prompt = "a", .tokens = 30};
    EXPECT_EQ(sample(summary.value().folder, options)->size(), 31U);
}

TEST_F(SampleTest, WhatCannotBeSampledIsSaid) {
    EXPECT_EQ(refused(text_folder(), {.prompt = ""}),
              "prompt: is empty; the network needs some text to continue");
    EXPECT_EQ(refused(text_folder(), {.prompt = "a", .tokens = -1}), "tokens: must be at least 0, got -1");
    EXPECT_EQ(refused(text_folder(), {.prompt = "a", .temperature = -0.5}),
              "temperature: must be at least 0, got -0.5");
    EXPECT_EQ(refused(text_folder(), {.prompt = "a", .top_k = 257}),
              "top-k: must be at most the 256 tokens, got 257");
    EXPECT_EQ(refused(text_folder(), {.prompt = "a", .top_k = -1}), "top-k: must be at least 0, got -1");
    EXPECT_THAT(refused(run(config_of(hops_run)).value().folder, {.prompt = "a"}),
                HasSubstr("does not predict text: transformer:"));
    EXPECT_THAT(refused(folder_.path() / "nobody", {.prompt = "a"}),
                HasSubstr("nobody/config.toml: no such file"));
}

}  // namespace
}  // namespace plimsoll::train

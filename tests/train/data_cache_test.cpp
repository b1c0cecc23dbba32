#include "plimsoll/train/feeds/data_cache.h"

#include "plimsoll/base/format.h"
#include "tests/support/error_text.h"
#include "tests/train/train_test_support.h"

namespace plimsoll::train {
namespace {

using ::testing::HasSubstr;

FeedData numbers(std::int64_t count) {
    return {.set = TextData{torch::arange(count, torch::kInt), torch::empty({0}, torch::kInt),
                            torch::empty({0}, torch::kDouble)}};
}

TEST(DataCacheTest, MakesWhatItDoesNotHave) {
    DataCache cache(1000);
    int made = 0;
    const auto make = [&]() -> FeedDataResult { return ++made, numbers(10); };
    const auto one = cache.find("a", make).value(), two = cache.find("a", make).value();
    EXPECT_EQ(one, two);
    EXPECT_EQ(made, 1);
    EXPECT_EQ(cache.found(), 1);
    EXPECT_EQ(cache.bytes(), 40U);
}

TEST(DataCacheTest, TheLeastRecentlyUsedGoesFirst) {
    DataCache cache(100);
    const auto ten = []() -> FeedDataResult { return numbers(10); };
    const auto kept = cache.find("a", ten).value();
    (void)cache.find("b", ten).value();
    (void)cache.find("a", ten).value();
    (void)cache.find("c", ten).value();  // b goes
    EXPECT_EQ(cache.made(), 3);
    (void)cache.find("a", ten).value();
    EXPECT_EQ(cache.made(), 3);
    (void)cache.find("b", ten).value();
    EXPECT_EQ(cache.made(), 4);
    EXPECT_LE(cache.bytes(), 100U);
    EXPECT_EQ(std::get<TextData>(kept->set).train.numel(), 10);  // whoever has it keeps it
}

TEST(DataCacheTest, WhatIsTooLargeIsNotKept) {
    DataCache cache(100);
    const auto hundred = []() -> FeedDataResult { return numbers(100); };
    EXPECT_EQ(std::get<TextData>(cache.find("a", hundred).value()->set).train.numel(), 100);
    EXPECT_EQ(cache.bytes(), 0U);
}

TEST(DataCacheTest, AnErrorIsNotKept) {
    DataCache cache(100);
    EXPECT_FALSE(cache.find("a", []() -> FeedDataResult { return io_error("disk", "is gone"); }).ok());
    EXPECT_TRUE(cache.find("a", []() -> FeedDataResult { return numbers(3); }).ok());
}

class SharedData : public TrainTest {
  protected:
    Result<RunSummary> run_with(const std::shared_ptr<DataCache>& cache,
                                const std::vector<std::string>& overrides, const std::string& folder) {
        TrainOptions options;
        options.runs = folder_.path() / folder;
        options.data_cache = cache;
        return train(config_of(text_run, overrides), options);
    }
    std::string text(std::int64_t repeats) {
        std::string all;
        for (std::int64_t i = 0; i < repeats; ++i) all += fmt::format("line {} of a text that is long. ", i);
        return all;
    }
};

TEST_F(SharedData, ManyRunsReadTheirDataOnce) {
    const auto cache = make_data_cache(1 << 20);
    const std::string file = write("text.txt", text(300));
    const std::string data = "data.name=" + file;
    EXPECT_TRUE(run_with(cache, {data}, "a").ok());
    EXPECT_TRUE(run_with(cache, {data, "seeds.data=2"}, "a").ok());
    EXPECT_TRUE(
        run_with(cache, {data, "model.spec=transformer:depth=2,width=8,heads=2,vocab=300,context=16"}, "a")
            .ok());
    EXPECT_EQ(cache->made(), 1);
    EXPECT_EQ(cache->found(), 2);
}

TEST_F(SharedData, GivesTheSameBits) {
    const auto cache = make_data_cache(1 << 20);
    const std::string data = "data.name=" + write("text.txt", text(300));
    EXPECT_TRUE(run_with(cache, {data}, "a").ok());
    const auto shared = run_with(cache, {data, "seeds.init=7"}, "a").value();
    const auto alone = run_with(nullptr, {data, "seeds.init=7"}, "b").value();
    EXPECT_EQ(metrics(shared), metrics(alone));
}

TEST_F(SharedData, AChangedFileIsReadAgain) {
    const auto cache = make_data_cache(1 << 20);
    const std::string data = "data.name=" + write("text.txt", text(300));
    EXPECT_TRUE(run_with(cache, {data}, "a").ok());
    write("text.txt", text(301));
    EXPECT_TRUE(run_with(cache, {data, "seeds.data=2"}, "a").ok());
    EXPECT_EQ(cache->made(), 2);
}

// Data that another network has read is still checked against this one.
TEST_F(SharedData, ANetworkThatDoesNotFitIsRefused) {
    const auto cache = make_data_cache(1 << 20);
    const std::string data = "data.name=" + write("text.txt", text(300));
    EXPECT_TRUE(run_with(cache, {data}, "a").ok());
    const auto narrow =
        run_with(cache, {data, "model.spec=transformer:depth=1,width=8,heads=2,vocab=99,context=16"}, "a");
    EXPECT_THAT(error_text(narrow), HasSubstr("vocab must be at least 256"));
    const auto seeing = run_with(
        cache, {data, "model.spec=transformer:depth=1,width=8,heads=2,vocab=256,context=16,stack=encoder"},
        "a");
    EXPECT_THAT(error_text(seeing), HasSubstr("sees the tokens that it should predict"));
    EXPECT_EQ(cache->made(), 1);
}

}  // namespace
}  // namespace plimsoll::train

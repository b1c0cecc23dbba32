#include "plimsoll/train/feeds/feed.h"

#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/train/feeds/labelled_feed.h"
#include "plimsoll/train/feeds/text_feed.h"

namespace plimsoll::train {
namespace {

FeedRequest request(std::int64_t batch, std::int64_t stride = 0) {
    FeedRequest result;
    result.plan.batch = batch;
    result.plan.capacity = 8;
    result.stride = stride;
    return result;
}

TextData counting(std::int64_t train, std::int64_t validation) {
    return {torch::arange(train, torch::kInt), torch::arange(validation, torch::kInt),
            torch::ones({std::max(train, validation)}, torch::kDouble)};
}

torch::Tensor index(std::int64_t value) { return torch::tensor({value}, torch::kLong); }

TEST(TextFeed, TheTargetIsTheNextToken) {
    const auto feed = text_feed(counting(100, 30), 7, request(4)).value();
    feed->choose(1, 3);
    for (std::int64_t step = 0; step < 3; ++step) {
        const Batch batch = feed->at(index(step), 0);
        EXPECT_TRUE(torch::equal(batch.input.tokens + 1, batch.targets));
    }
}

TEST(TextFeed, AStepsBatchDependsOnTheStepAlone) {
    const auto one = text_feed(counting(100, 30), 7, request(4)).value(),
               two = text_feed(counting(100, 30), 7, request(4)).value();
    one->choose(1, 8);
    two->choose(6, 2);
    EXPECT_TRUE(torch::equal(one->at(index(5), 0).input.tokens, two->at(index(0), 0).input.tokens));
    EXPECT_FALSE(torch::equal(one->at(index(5), 0).input.tokens, one->at(index(6), 0).input.tokens));
}

// Whatever the stride, batch and length: every token but the first is a counted target once, and inputs are
// the text.
TEST(TextFeed, EveryTokenOfTheValidationTextIsCountedOnce) {
    for (const std::int64_t tokens : {9, 10, 16, 17, 40}) {
        for (const std::int64_t stride : {0, 1, 3, 8}) {
            for (const std::int64_t batch : {1, 3}) {
                const auto feed = text_feed(counting(20, tokens), 8, request(batch, stride)).value();
                std::map<std::int64_t, int> counted;
                for (std::int64_t i = 0; i < feed->evaluation_batches(); ++i) {
                    const Batch part = feed->evaluation_batch(i);
                    const torch::Tensor shown = part.targets.ne(no_target);
                    EXPECT_TRUE(torch::equal((part.input.tokens + 1).masked_select(shown),
                                             part.targets.masked_select(shown)));
                    EXPECT_GE(part.input.tokens.min().item<std::int64_t>(), 0);
                    const torch::Tensor targets = part.targets.masked_select(shown);
                    for (std::int64_t k = 0; k < targets.numel(); ++k)
                        ++counted[targets[k].item<std::int64_t>()];
                }
                EXPECT_EQ(std::ssize(counted), tokens - 1) << tokens << " " << stride << " " << batch;
                for (const auto& [token, times] : counted) EXPECT_EQ(times, 1) << token;
            }
        }
    }
}

TEST(TextFeed, ATextShorterThanAnExampleIsRefused) {
    const auto feed = text_feed(counting(100, 7), 7, request(1));
    ASSERT_FALSE(feed.ok());
    EXPECT_EQ(feed.error().text(), "data: the validation text has 7 tokens, and one example needs 8");
}

LabelledTensors numbered(std::int64_t count) {
    LabelledTensors all;
    all.values = torch::arange(count, torch::kFloat).view({count, 1});
    all.labels = torch::arange(count, torch::kLong);
    return all;
}

TEST(LabelledFeed, AnEpochShowsEveryExampleOnce) {
    const auto feed = labelled_feed({numbered(12), numbered(5), {}}, ExampleForm::planes, request(4));
    for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
        feed->choose(1 + 3 * epoch, 3);
        std::multiset<std::int64_t> seen;
        for (std::int64_t step = 0; step < 3; ++step) {
            const Batch batch = feed->at(index(step), 0);
            EXPECT_TRUE(torch::equal(batch.input.values.flatten().to(torch::kLong), batch.targets));
            for (std::int64_t i = 0; i < 4; ++i) seen.insert(batch.targets[i].item<std::int64_t>());
        }
        EXPECT_THAT(seen, ::testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    }
}

TEST(LabelledFeed, PartsMakeUpTheBatch) {
    FeedRequest whole = request(6), parts = request(6);
    parts.plan.parts = 3;
    const auto one = labelled_feed({numbered(12), numbered(5), {}}, ExampleForm::planes, whole),
               three = labelled_feed({numbered(12), numbered(5), {}}, ExampleForm::planes, parts);
    one->choose(1, 1);
    three->choose(1, 1);
    std::vector<torch::Tensor> pieces;
    for (std::int64_t part = 0; part < 3; ++part) pieces.push_back(three->at(index(0), part).targets);
    EXPECT_TRUE(torch::equal(torch::cat(pieces), one->at(index(0), 0).targets));
}

// The batches of a stack are those of its runs alone, one after the other, whatever the parts.
TEST(LabelledFeed, AStackReadsWhatItsRunsRead) {
    const std::vector<std::uint64_t> seeds{3, 8, 3};
    FeedRequest all = request(6);
    all.plan.seeds = seeds;
    all.plan.parts = 2;
    all.plan.capacity = 4;
    const auto stack = labelled_feed({numbered(12), numbered(5), {}}, ExampleForm::planes, all);
    EXPECT_EQ(stack->runs(), 3);
    stack->choose(2, 4);
    for (std::int64_t k = 0; k < 3; ++k) {
        FeedRequest one = all;
        one.plan.seeds = {seeds[static_cast<std::size_t>(k)]};
        const auto alone = labelled_feed({numbered(12), numbered(5), {}}, ExampleForm::planes, one);
        alone->choose(2, 4);
        for (std::int64_t step = 0; step < 4; ++step) {
            for (std::int64_t part = 0; part < 2; ++part)
                EXPECT_TRUE(torch::equal(stack->at(index(step), part).targets.narrow(0, 3 * k, 3),
                                         alone->at(index(step), part).targets));
        }
    }
}

TEST(LabelledFeed, TheLastValidationBatchMayBeShort) {
    const auto feed = labelled_feed({numbered(12), numbered(5), {}}, ExampleForm::planes, request(4));
    EXPECT_EQ(feed->evaluation_batches(), 2);
    EXPECT_EQ(feed->evaluation_batch(1).targets.numel(), 1);
}

// Shifted and mirrored images, against loops.
TEST(LabelledFeed, CropAndFlipMovePixels) {
    LabelledTensors all;
    all.pixels = torch::randint(1, 255, {6, 2, 5, 4}, torch::kByte);
    all.labels = torch::arange(6, torch::kLong);
    const PixelScale scale{torch::zeros({1, 2, 1, 1}), torch::ones({1, 2, 1, 1})};
    FeedRequest moved = request(6);
    moved.plan.crop = 2;
    moved.plan.flip = true;
    const auto feed = labelled_feed({all, all, scale}, ExampleForm::planes, moved);
    feed->choose(1, 1);
    const Batch batch = feed->at(index(0), 0);
    std::set<std::string> kinds;
    for (std::int64_t b = 0; b < 6; ++b) {
        const torch::Tensor image = all.pixels[batch.targets[b].item<std::int64_t>()].to(torch::kFloat);
        bool found = false;
        for (std::int64_t dy = -2; dy <= 2; ++dy) {
            for (std::int64_t dx = -2; dx <= 2; ++dx) {
                for (const bool mirror : {false, true}) {
                    const torch::Tensor source = mirror ? image.flip({2}) : image;
                    const std::int64_t shift = mirror ? -dx : dx;
                    torch::Tensor expected = torch::zeros_like(image);
                    for (std::int64_t y = 0; y < 5; ++y) {
                        for (std::int64_t x = 0; x < 4; ++x) {
                            if (y + dy < 0 || y + dy >= 5 || x + shift < 0 || x + shift >= 4) continue;
                            expected.select(1, y).select(1, x).copy_(
                                source.select(1, y + dy).select(1, x + shift));
                        }
                    }
                    if (torch::equal(expected, batch.input.values[b])) {
                        found = true;
                        kinds.insert(std::to_string(dy) + std::to_string(dx) + (mirror ? "m" : ""));
                    }
                }
            }
        }
        EXPECT_TRUE(found) << b;
    }
    EXPECT_GT(kinds.size(), 2U);  // not all the same
}

}  // namespace
}  // namespace plimsoll::train

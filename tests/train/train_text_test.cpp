#include "plimsoll/cli/torch/train_text.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

train::TrainProgress at(std::int64_t step) {
    return {.step = step,
            .steps = 1000,
            .loss = 2.41134,
            .rate = 3e-4,
            .examples_per_second = 512,
            .flops_per_second = 1.23e12,
            .mfu = 0.412};
}

TEST(TrainText, TheLineSaysWhatMattersFirst) {
    EXPECT_EQ(
        progress_text(at(120), 8, 200),
        "step 120 of 1000  loss 2.4113  8 s left  MFU 41 %  rate 3.0e-04  512 examples/s  1.23 TFLOP/s");
    EXPECT_EQ(progress_text(at(120), 8, 45), "step 120 of 1000  loss 2.4113  8 s left");
    EXPECT_EQ(progress_text(at(120), NAN, 60), "step 120 of 1000  loss 2.4113  MFU 41 %  rate 3.0e-04");
    EXPECT_EQ(progress_text(at(120), 8, 5), "step 120 of 1000") << "never nothing";
}

TEST(TrainText, AStackSaysHowManyRunsItHas) {
    train::TrainProgress progress = at(120);
    progress.runs = 12;
    EXPECT_EQ(
        progress_text(progress, 8, 200),
        "12 runs, step 120 of 1000  mean loss 2.4113  8 s left  MFU 41 %  512 examples/s  1.23 TFLOP/s");
}

TEST(TrainText, RatesHaveThePrefixesOfUnits) {
    const auto rate = [](double flops) {
        train::TrainProgress progress = at(1);
        progress.flops_per_second = flops;
        const std::string text = progress_text(progress, NAN, 200);
        return text.substr(text.rfind("  ") + 2);
    };
    EXPECT_EQ(rate(24.6e9), "24.6 GFLOP/s");
    EXPECT_EQ(rate(999.7e9), "1 TFLOP/s");
    EXPECT_EQ(rate(2.5e17), "250 PFLOP/s");
    EXPECT_EQ(rate(12), "12 FLOP/s");
}

TEST(TrainText, OnATerminalTheLineIsDrawnOverItself) {
    LiveLine line(60);
    EXPECT_EQ(line.clear(), "") << "nothing drawn, nothing to clear";
    EXPECT_THAT(line.next(at(10), 30.0), StartsWith("\r\033[Kstep 10 of"));
    EXPECT_EQ(line.next(at(11), 30.05), "") << "ten times a second at most";
    const std::string second = line.next(at(20), 31.0);
    EXPECT_THAT(second, HasSubstr("step 20 of"));
    EXPECT_LE(second.size(), 59 + std::string("\r\033[K").size()) << "a line that wraps cannot be cleared";
    EXPECT_EQ(line.clear(), "\r\033[K");
}

// The 30 seconds before the first report were for reading the data.
TEST(TrainText, TheTimeLeftIsThatOfTheSteps) {
    LiveLine line(200);
    EXPECT_THAT(line.next(at(10), 30.0), ::testing::Not(HasSubstr("left")));
    EXPECT_THAT(line.next(at(20), 31.0), HasSubstr("2 min left")) << "980 steps at a tenth of a second";
    EXPECT_THAT(line.next(at(1000), 129.0), HasSubstr("0 s left"));
}

TEST(TrainText, ElsewhereThereArePlainLinesNowAndThen) {
    LiveLine line(0);
    EXPECT_EQ(line.next(at(1), 1), "");
    EXPECT_THAT(line.next(at(100), 10), StartsWith("step 100 of 1000  loss"));
    EXPECT_EQ(line.next(at(101), 10.5), "");
    const std::string text = line.next(at(200), 20);
    EXPECT_EQ(text.find('\033'), std::string::npos);
    EXPECT_EQ(text.back(), '\n');
    (void)line.next(at(900), 4000);
    EXPECT_EQ(line.next(at(901), 4100), "") << "rarer as time goes by";
    EXPECT_EQ(line.clear(), "");
}

TEST(TrainText, ThePlotHasItsEnds) {
    std::vector<Json> rows;
    for (int step = 1; step <= 10; ++step) rows.push_back(Json{{"step", step}, {"loss", 11.0 - step}});
    rows.push_back(Json{{"step", 10}, {"validation", Json{{"loss", 1.0}}}});
    const std::string plot = loss_plot(rows, 20, 4);
    EXPECT_THAT(plot, StartsWith(" 10.0000 |"));
    EXPECT_THAT(plot, HasSubstr("  1.0000 |"));
    EXPECT_EQ(std::ranges::count(plot, '\n'), 5);
    EXPECT_EQ(loss_plot({}, 20, 4), "");
}

}  // namespace
}  // namespace plimsoll::cli

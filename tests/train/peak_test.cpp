#include "plimsoll/train/peak.h"

#include "plimsoll/arch/count.h"
#include "plimsoll/store/run_folder.h"
#include "tests/train/train_test_support.h"

namespace plimsoll::train {
namespace {

using PeakTest = TrainTest;

// Between a product by hand and more than any processor does; the same number for every run of a process.
TEST_F(PeakTest, IsMeasuredOnce) {
    const double rate = gemm_rate(torch::kCPU, torch::kFloat);
    EXPECT_GT(rate, 1e8);
    EXPECT_LT(rate, 1e15);
    EXPECT_EQ(gemm_rate(torch::kCPU, torch::kFloat), rate);
    EXPECT_NE(gemm_rate(torch::kCPU, torch::kDouble), rate);
}

TEST_F(PeakTest, ARunTellsItsShareAndWritesItBesideTheMetrics) {
    TrainOptions options;
    options.runs = folder_.path() / "runs";
    std::vector<TrainProgress> told;
    options.tell = [&](const TrainProgress& progress) { told.push_back(progress); };
    const auto summary = train(config_of(text_run), options).value();
    ASSERT_FALSE(told.empty());
    const double peak = gemm_rate(torch::kCPU, torch::kFloat);
    for (const auto& one : told) {
        EXPECT_GT(one.mfu, 0);
        EXPECT_DOUBLE_EQ(one.mfu, one.flops_per_second / peak);
        EXPECT_GT(one.peak_mb, 10);  // LibTorch alone is larger
        EXPECT_LT(one.peak_mb, 1e5);
    }
    EXPECT_GE(told.back().peak_mb, told.front().peak_mb);
    EXPECT_EQ(metrics(summary).find("mfu"), std::string::npos) << "what the clock says is no metric";
    const std::string timings = read_text(summary.folder / "timings.jsonl").value();
    EXPECT_EQ(std::ranges::count(timings, '\n'), 6) << "a row for each row of metrics";
    for (const char* key : {"\"step\"", "\"seconds\"", "\"examples_per_second\"", "\"flops_per_second\"",
                            "\"mfu\"", "\"peak_mb\""})
        EXPECT_NE(timings.find(key), std::string::npos) << key;
}

// FLOPs follow the tokens of an example, not the longest context of the spec.
TEST_F(PeakTest, FlopsAreThoseOfTheExamples) {
    const auto flops_per_example = [&](const char* context) {
        TrainOptions options;
        options.runs = folder_.path() / context;
        double result = 0;
        options.tell = [&](const TrainProgress& progress) {
            result = progress.flops_per_second / progress.examples_per_second;
        };
        (void)train(config_of(text_run, {std::string("data.context=") + context}), options).value();
        return result;
    };
    const auto spec = arch::parse_spec("transformer:depth=1,width=16,heads=2,vocab=256,context=16").value();
    EXPECT_NEAR(flops_per_example("4") / (4 * arch::count(spec, {.context = 4})->training_flops.real()), 1,
                1e-9);
    EXPECT_NEAR(flops_per_example("16") / (16 * arch::count(spec, {.context = 16})->training_flops.real()), 1,
                1e-9);
}

}  // namespace
}  // namespace plimsoll::train

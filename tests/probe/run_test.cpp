// Trained runs and real examples.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/probe/probe.h"
#include "plimsoll/probe/torch/subject.h"
#include "plimsoll/train/train.h"
#include "plimsoll/train/trained_run.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::probe {
namespace {

using ::testing::HasSubstr;

constexpr const char* hops = "synthetic:hops=1,symbols=4,count=200,test=40";

constexpr const char* toml = R"(
[model]
spec = "transformer:depth=1,width=8,heads=2,vocab=4,context=9,stack=encoder,head=classes,classes=4"
init = "fan-in"
[data]
name = "synthetic:hops=1,symbols=4,count=200,test=40"
[optimizer]
lr = 1e-2
[train]
steps = 20
batch = 8
)";

// One trained run for all tests.
class Run : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        folder_ = new testing::TempDir();
        train::TrainOptions options;
        options.runs = folder_->path();
        run_ = new std::filesystem::path(
            train::train(run::parse_run_config(toml, "run.toml", {}).value(), options)->folder);
    }
    static void TearDownTestSuite() {
        delete run_;
        delete folder_;
    }
    static NumericQuestion question() {
        NumericQuestion question;
        question.subject.source = *run_;
        question.left = "0,1,2,3";
        question.size = 24;
        return question;
    }

    inline static testing::TempDir* folder_ = nullptr;
    inline static std::filesystem::path* run_ = nullptr;
};

TEST_F(Run, IsMeasuredTrainedAndFresh) {
    NumericQuestion asked = question();
    asked.fresh = true;
    const auto report = measure_numeric_rank(asked).value();
    const auto& ranks = report.partitions.front().ranks;
    ASSERT_EQ(ranks.size(), 2U);
    EXPECT_EQ(report.facts.split.items(), 9U);  // the run's own context
    EXPECT_EQ(ranks[0].weights, "trained, step 20");
    EXPECT_EQ(ranks[1].weights, "fresh, as the run started");
    EXPECT_NE(ranks[0].spectrum.values[0], ranks[1].spectrum.values[0]);
    // The fresh weights are those of the spec, rounded to float.
    NumericQuestion spec = asked;
    spec.subject.source = run::read_run_config(*run_ / "config.toml")->model.spec;
    spec.subject.init = "fan-in";
    spec.fresh = false;
    spec.inputs.positions = 9;
    const auto again = measure_numeric_rank(spec).value();
    EXPECT_NEAR(again.partitions[0].ranks[0].spectrum.values[0], ranks[1].spectrum.values[0],
                1e-5 * ranks[1].spectrum.values[0]);
}

TEST_F(Run, IsMeasuredOnHalvesOfRealExamples) {
    NumericQuestion asked = question();
    asked.inputs.data = hops;
    const auto report = measure_numeric_rank(asked).value();
    EXPECT_EQ(report.partitions[0].rows, 24U);
    EXPECT_EQ(report.templates,
              "the first 24 validation examples of synthetic:hops=1,symbols=4,count=200,test=40");
    asked.size = 100;
    EXPECT_EQ(measure_numeric_rank(asked)->partitions[0].rows, 40U);  // all there are
}

TEST_F(Run, ComparesWithASpecByCkaAndShowsItsSpectra) {
    CkaQuestion cka;
    cka.first.source = *run_;
    cka.second.source = *arch::parse_spec(
        "transformer:depth=2,width=6,heads=2,vocab=4,context=9,stack=encoder,head=classes,classes=4");
    cka.inputs.data = hops;
    cka.examples = 30;
    const auto report = measure_cka(cka).value();
    EXPECT_EQ(report.values.rows(), 2U);
    EXPECT_EQ(report.values.cols(), 3U);
    EXPECT_EQ(report.first.weights, "trained, step 20");
    SpectraQuestion spectra{{*run_}, "attention"};
    const auto matrices = measure_spectra(spectra)->matrices;
    EXPECT_EQ(matrices.size(), 4U);
}

TEST_F(Run, WithoutACheckpointOrAFolderIsNotFound) {
    const testing::TempDir empty;
    ASSERT_TRUE(atomic_write(empty.path() / "config.toml", *read_text(*run_ / "config.toml")).ok());
    NumericQuestion asked = question();
    asked.subject.source = empty.path();
    const auto report = measure_numeric_rank(asked);
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().kind, ErrorKind::not_found);
    EXPECT_THAT(report.error().message, HasSubstr("has no checkpoint yet"));
    asked.subject.source = empty.path() / "nowhere";
    EXPECT_EQ(measure_numeric_rank(asked).error().kind, ErrorKind::not_found);
}

TEST_F(Run, RefusesDataItCannotRead) {
    NumericQuestion asked = question();
    asked.inputs.data = "synthetic:hops=1,symbols=6,count=100,test=20";
    EXPECT_THAT(measure_numeric_rank(asked).error().text(), HasSubstr("vocab must be at least 6"));
    asked.subject.source = *arch::parse_spec("square-mlp:rows=2,cols=2,depth=1");
    EXPECT_THAT(measure_numeric_rank(asked).error().text(), HasSubstr("reads matrices of numbers"));
    asked.inputs.data = "";
    asked.inputs.device = "tpu";
    EXPECT_THAT(measure_numeric_rank(asked).error().text(), HasSubstr("device: must be cpu"));
}

TEST(ScaledRun, IsMeasuredWithItsMultipliers) {
    const testing::TempDir folder;
    train::TrainOptions options;
    options.runs = folder.path();
    const std::vector<std::string> scaled{"model.parameterization=completep", "model.base_width=2",
                                          "model.base_depth=1", "train.steps=3"};
    const auto config = run::parse_run_config(toml, "run.toml", scaled).value();
    const std::filesystem::path run = train::train(config, options)->folder;
    const auto trained = train::open_trained(run, torch::kCPU).value();
    const auto probed = open_subject({run}, torch::kCPU).value();
    model::Input input;
    input.tokens = at::arange(9, at::kLong).remainder(4).view({1, 9});
    const torch::Tensor wanted = trained.network->forward(input, 0).to(at::kDouble);
    const double off = (probed.network->forward(input, 0) - wanted).abs().max().item<double>();
    EXPECT_LT(off, 1e-6 * (1 + wanted.abs().max().item<double>())) << "float against double";
}

}  // namespace
}  // namespace plimsoll::probe

// Runs on tables: classes and numbers, kept and evaluated elsewhere with the same bits.
#include <cmath>
#include <filesystem>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/run/table_encoding.h"
#include "tests/support/error_text.h"
#include "tests/train/train_test_support.h"

namespace plimsoll::train {
namespace {

using ::testing::HasSubstr;

// y = x^2 + 3 [word is odd] + noise of variance 0.01, with some gaps in x that hold nothing.
std::string made_rows(std::uint64_t seed, int count) {
    RandomStream stream(seed, "test/table");
    std::string text = "x,word,unused,y\n";
    for (int i = 0; i < count; ++i) {
        const double x = 4 * stream.uniform() - 2;
        const std::uint64_t word = stream.below(4);
        const double y = x * x + (word % 2 == 1 ? 3 : 0) + 0.35 * (stream.uniform() - 0.5);
        text += fmt::format("{:.5f},{},1,{:.5f}\n", x, std::array{"a", "b", "c", "d"}[word], y);
    }
    return text;
}

constexpr const char* number_run = R"(
[model]
spec = "mlp:depth=2,width=24,inputs=1,categories=4,classes=1"
[optimizer]
lr = 1e-2
clip = 1
[schedule]
warmup = 20
[train]
steps = 300
batch = 32
log_every = 50
checkpoint_every = 100
)";

class TableRuns : public TrainTest {
  protected:
    run::RunConfig config(const std::vector<std::string>& more = {}) {
        std::vector<std::string> all{"data.name=" + write("rows.csv", made_rows(1, 600))};
        all.insert(all.end(), more.begin(), more.end());
        return config_of(number_run, all);
    }
    static Evaluation evaluated(const RunSummary& summary, const EvaluateOptions& options = {}) {
        const auto result = evaluate(summary.folder, options);
        EXPECT_TRUE(result.ok()) << error_text(result);
        return result.ok() ? *result : Evaluation{};
    }
};

TEST_F(TableRuns, LearnANumber) {
    const auto summary = run(config());
    ASSERT_TRUE(summary.ok()) << error_text(summary);
    ASSERT_TRUE(summary->validation.explained);
    EXPECT_GT(*summary->validation.explained, 0.9);
    EXPECT_LT(summary->validation.accuracy, 0) << "a number is not right or wrong";
    // The error is in the label's own unit.
    const double variance = std::pow(*summary->validation.error, 2) / summary->validation.loss;
    EXPECT_NEAR(variance, 2.25 + 1.42, 0.6) << "of 3 [odd] and of x^2";
    EXPECT_EQ(summary->validation.targets, 60);
    EXPECT_THAT(metrics(*summary), HasSubstr("\"explained_variance\""));
    EXPECT_THAT(metrics(*summary), ::testing::Not(HasSubstr("\"accuracy\"")));
}

// What a run reads of a table, and its weights, are in its folder: the same bits wherever it is evaluated.
TEST_F(TableRuns, AreEvaluatedWithTheBitsOfTheirTraining) {
    const auto summary = run(config()).value();
    ASSERT_TRUE(std::filesystem::exists(summary.folder / "table.json"));
    EXPECT_EQ(evaluated(summary).loss, summary.validation.loss);
    EXPECT_EQ(evaluated(summary).explained, summary.validation.explained);
    const auto moved = folder_.path() / "elsewhere";
    std::filesystem::copy(summary.folder, moved, std::filesystem::copy_options::recursive);
    const auto found = evaluate(moved, {});
    ASSERT_TRUE(found.ok()) << error_text(found);
    EXPECT_EQ(found->loss, summary.validation.loss);
    EXPECT_EQ(found->split, "10 % of the rows, drawn with seed 1");
}

// Rows of another file are read with the means and words of the run's own, whatever stands in the file.
TEST_F(TableRuns, ReadOtherTablesAsTheirOwn) {
    const auto summary = run(config()).value();
    const std::string rows = made_rows(9, 200);
    const Evaluation whole = evaluated(summary, {.data = write("more.csv", rows)});
    EXPECT_EQ(whole.targets, 200);
    EXPECT_GT(*whole.explained, 0.9);
    const std::string stretched = write("far.csv", rows + "900,a,1,0\n900,zebra,1,0\n");
    const Evaluation far = evaluated(summary, {.data = stretched});
    EXPECT_LT(*far.explained, *whole.explained);
    const auto lacking = evaluate(summary.folder, {.data = write("lack.csv", "x,y\n1,2\n2,1.5\n")});
    ASSERT_FALSE(lacking.ok());
    EXPECT_THAT(error_text(lacking), HasSubstr("has no column 'word', which the run was trained with"));
}

TEST_F(TableRuns, ResumeWithTheSameBytes) {
    const std::string undisturbed = bytes_of(run(config(), "whole"));
    stop_at(config(), 150);
    const auto resumed = run(config());
    EXPECT_TRUE(resumed->resumed);
    EXPECT_EQ(bytes_of(resumed), undisturbed);
}

// Whole numbers that would be classes: the part held out is the same when the run is evaluated.
TEST_F(TableRuns, PredictWholeNumbersWhereSomebodySaysSo) {
    std::string text = "x,q\n";
    for (int i = 0; i < 400; ++i) text += fmt::format("{:.2f},{}\n", (i % 40) / 10.0, (i % 40) / 8);
    const std::string file = write("whole.csv", text);
    const auto summary = run(config_of(number_run, {"data.name=" + file, "data.label=q:number",
                                                    "model.spec=mlp:depth=1,width=16,inputs=1,classes=1"}));
    ASSERT_TRUE(summary.ok()) << error_text(summary);
    EXPECT_GT(*summary->validation.explained, 0.8);
    EXPECT_EQ(evaluated(*summary).loss, summary->validation.loss);
    EXPECT_EQ(evaluated(*summary, {.data = write("again.csv", text)}).targets, 400);
}

// A run that goes on with other rows than it began with would have neither's result.
TEST_F(TableRuns, DoNotGoOnWithOtherRows) {
    stop_at(config(), 150);
    write("rows.csv", made_rows(2, 600));
    const auto resumed = run(config_of(number_run, {"data.name=" + (folder_.path() / "rows.csv").string()}));
    ASSERT_FALSE(resumed.ok());
    EXPECT_THAT(error_text(resumed), HasSubstr("the data of this run has changed"));
}

TEST_F(TableRuns, TrainInAStackAsAlone) {
    for (const char* label : {"data.label=y", "data.label=word"}) {
        const bool number = std::string(label).ends_with("=y");
        const std::string spec = number ? "inputs=1,categories=4,classes=1" : "inputs=2,classes=4";
        std::vector<run::RunConfig> configs;
        for (const char* seed : {"1", "2", "3"})
            configs.push_back(config(
                {label, "model.spec=mlp:depth=2,width=16," + spec, "train.precision=fp64", "train.steps=40",
                 fmt::format("seeds.init={}", seed), fmt::format("seeds.data={}", seed)}));
        TrainOptions options;
        options.runs = folder_.path() / "stack";
        const auto together = train_stack(configs, options);
        for (std::size_t k = 0; k < configs.size(); ++k) {
            ASSERT_TRUE(together[k].ok()) << error_text(together[k]);
            const auto alone = run(configs[k], "alone").value();
            EXPECT_NEAR(together[k]->validation.loss, alone.validation.loss, 1e-8);
            EXPECT_NEAR(together[k]->train_loss, alone.train_loss, 1e-8);
        }
    }
}

TEST_F(TableRuns, SayWhatTheTableNeeds) {
    EXPECT_THAT(refusal(config({"model.spec=mlp:depth=1,width=8,inputs=2,classes=1"})),
                HasSubstr("model.spec: inputs is 2; this table needs inputs=1,categories=4,classes=1"));
    EXPECT_THAT(refusal(config({"model.spec=transformer:depth=1,width=8,heads=1,vocab=256"})),
                HasSubstr("the data are rows of a table; the family mlp reads them"));
}

}  // namespace
}  // namespace plimsoll::train

#include "plimsoll/lab/jobs/rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/lab/experiment/default_figures.h"
#include "plimsoll/lab/jobs/run_results.h"
#include "tests/lab/sweep_support.h"
#include "tests/lab/table_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const fs::path fixture_runs = fs::path(PLIMSOLL_SOURCE_DIR) / "tests/fixtures/runs";

// Three runs of tests/fixtures/runs, and one that nobody made.
std::vector<NamedPlan> fixture_plans() {
    return {{"mixers", planned("[base]\nmodel.spec = \"mixer:channels=64,patch=4,image=32,classes=10\"\n"
                               "data.name = \"cifar10\"\ntrain.steps = 100\n[[zip]]\n"
                               "name = [\"deep\", \"shallow\", \"too fast\", \"absent\"]\n"
                               "model.depth = [8, 2, 2, 2]\noptimizer.lr = [2e-3, 1e-3, 10.0, 1e-3]\n")}};
}

TEST(RunResults, SecondsOfAStackAreSharedByItsRuns) {
    const testing::TempDir runs;
    const Job job = fixture_plans().front().plan.jobs.front();
    const auto folder = runs.path() / job.id;
    std::filesystem::create_directories(folder);
    ASSERT_TRUE(atomic_write(folder / "config.toml", "").ok());
    ASSERT_TRUE(
        atomic_write(folder / "environment.json",
                     R"({"sessions": [{"seconds": 12, "stack": {"runs": 4, "slot": 1}}, {"seconds": 5},
                                              {"seconds": "none"}, {"seconds": 2, "stack": 7}, 8]})")
            .ok());
    const auto results = read_results(job, runs.path()).value();
    EXPECT_EQ(results.seconds, 19);
    EXPECT_EQ(results.own_seconds, 10);
}

TEST(RunRows, SayWhatThePlanAndTheFilesSay) {
    const auto table = run_rows(fixture_plans(), fixture_runs).value();
    ASSERT_EQ(table.rows.size(), 4U);
    const std::map<std::string, Wanted> deep{{"name", "deep"}};
    EXPECT_EQ(text_at(table, deep, "run"), "523f16cada3336df");
    EXPECT_EQ(text_at(table, deep, "sweep"), "mixers");
    EXPECT_EQ(text_at(table, deep, "family"), "mixer");
    EXPECT_EQ(text_at(table, deep, "spec"), "mixer:depth=8,channels=64,patch=4,image=32,classes=10");
    EXPECT_EQ(text_at(table, deep, "phase"), "done");
    EXPECT_EQ(number_at(table, deep, "depth"), 8);
    EXPECT_EQ(number_at(table, deep, "tokens"), 64);  // a default of the spec, resolved
    EXPECT_EQ(number_at(table, deep, "seed"), 1);
    EXPECT_EQ(number_at(table, deep, "budget"), 0);
    EXPECT_EQ(number_at(table, deep, "optimizer_lr"), 0.002);
    EXPECT_EQ(number_at(table, deep, "loss"), 1.0088);
    EXPECT_EQ(number_at(table, deep, "validation_loss"), 1.125);
    EXPECT_EQ(number_at(table, deep, "accuracy"), 0.625);
    EXPECT_EQ(number_at(table, deep, "seconds"), 171.25);
    EXPECT_EQ(text_at(table, deep, "device"), "cpu");
    EXPECT_EQ(number_at(table, deep, "steps"), 100);
    EXPECT_GT(number_at(table, deep, "flops"), 1e9);
    EXPECT_EQ(number_at(table, deep, "parameters"), number_at(table, deep, "counted"));
    EXPECT_EQ(text_at(table, deep, "bits_per_byte"), "");  // of text only
    EXPECT_THAT(table.columns, Contains("data_name"));
    EXPECT_THAT(table.columns, Not(Contains("optimizer_beta1")));  // the default in every run
    EXPECT_THAT(table.columns, Not(Contains("model_spec")));
}

TEST(RunRows, RunsThatFailedOrAreMissingHaveTheirPhaseAndNoResults) {
    const auto table = run_rows(fixture_plans(), fixture_runs).value();
    EXPECT_EQ(text_at(table, {{"name", "too fast"}}, "phase"), "failed");
    EXPECT_EQ(text_at(table, {{"name", "too fast"}}, "validation_loss"), "");
    EXPECT_EQ(text_at(table, {{"name", "absent"}}, "phase"), "missing");
    EXPECT_EQ(text_at(table, {{"name", "absent"}}, "loss"), "");
    EXPECT_EQ(run_rows(fixture_plans(), "/nonexistent").value().columns, table.columns);
}

TEST(RunRows, ARunOfTwoSweepsHasOneRow) {
    auto plans = fixture_plans();
    plans.push_back(plans.front());
    EXPECT_EQ(run_rows(plans, fixture_runs).value().rows.size(), 4U);
}

// A run of the fixtures with more evaluations and times.
class LongerRun {
  public:
    LongerRun() {
        const auto folder = runs() / "523f16cada3336df";
        fs::create_directories(runs());
        fs::copy(fixture_runs / "523f16cada3336df", folder, fs::copy_options::recursive);
        write(folder / "metrics.jsonl", R"({"step":10,"loss":2.5})"
                                        "\n"
                                        R"({"step":50,"loss":1.5})"
                                        "\n"
                                        R"({"step":50,"validation":{"loss":1.0,"accuracy":0.75}})"
                                        "\n"
                                        R"({"step":100,"loss":1.0})"
                                        "\n"
                                        R"({"step":100,"validation":{"loss":1.125,"accuracy":0.625}})"
                                        "\n");
        write(folder / "timings.jsonl", R"({"step":10,"examples_per_second":64,"peak_mb":300})"
                                        "\n"
                                        R"({"step":50,"examples_per_second":128,"peak_mb":310.5})"
                                        "\n"
                                        "half a li\n"
                                        R"({"step":100,"examples_per_second":640})"
                                        "\n");
    }
    [[nodiscard]] fs::path runs() const { return folder_.path() / "runs"; }

  private:
    static void write(const fs::path& file, const std::string& text) {
        EXPECT_TRUE(atomic_write(file, text).ok());
    }
    testing::TempDir folder_;
};

TEST(RunRows, BestValuesAndTimesAreOverAllRows) {
    const LongerRun made;
    const auto table = run_rows(fixture_plans(), made.runs()).value();
    const std::map<std::string, Wanted> deep{{"name", "deep"}};
    EXPECT_EQ(number_at(table, deep, "accuracy"), 0.625);
    EXPECT_EQ(number_at(table, deep, "best_accuracy"), 0.75);
    EXPECT_EQ(number_at(table, deep, "best_validation_loss"), 1);
    EXPECT_EQ(number_at(table, deep, "step_ms"), 500);  // the middle of 1000, 500 and 100
    EXPECT_EQ(number_at(table, deep, "peak_mb"), 310.5);
}

TEST(CurveRows, HaveARowForEachEvaluation) {
    const LongerRun made;
    const auto table = curve_rows(fixture_plans(), made.runs()).value();
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(number_at(table, {{"step", 50.0}}, "accuracy"), 0.75);
    EXPECT_EQ(number_at(table, {{"step", 50.0}}, "loss"), 1.5);
    EXPECT_EQ(number_at(table, {{"step", 100.0}}, "validation_loss"), 1.125);
    EXPECT_DOUBLE_EQ(number_at(table, {{"step", 50.0}}, "epoch"), 50 * 64 / 50000.0);
    // Two ways to one number: the last evaluation is that of the run's row.
    EXPECT_EQ(number_at(table, {{"step", 100.0}}, "accuracy"),
              number_at(run_rows(fixture_plans(), made.runs()).value(), {{"name", "deep"}}, "accuracy"));
    const auto before = curve_rows(fixture_plans(), "/nonexistent").value();
    EXPECT_TRUE(before.rows.empty());
    EXPECT_EQ(before.columns, table.columns);
}

TEST(RunRows, BudgetsAreNumbers) {
    const std::vector<NamedPlan> plans{
        {"b", planned("[base]\nmodel.spec = \"mixer:patch=4,image=32,expansion=1,classes=10\"\n"
                      "data.name = \"cifar10\"\n[axes]\nmodel.depth = [1, 2]\n"
                      "[budget]\nparameters = [\"64K\"]\ncount = \"navon\"\n")}};
    const auto table = run_rows(plans, "/nonexistent").value();
    EXPECT_EQ(number_at(table, {{"depth", 1.0}}, "budget"), 64000);
    EXPECT_NEAR(number_at(table, {{"depth", 1.0}}, "counted"), 64000, 1280);
    EXPECT_NE(number_at(table, {{"depth", 1.0}}, "counted"),
              number_at(table, {{"depth", 1.0}}, "parameters"));
}

TEST(DefaultFigures, DrawWhatMovesAgainstAccuracy) {
    const auto plans = fixture_plans();
    const auto figures = default_figures(plans, run_rows(plans, fixture_runs).value());
    ASSERT_EQ(figures.figures.size(), 1U);
    EXPECT_EQ(figures.figures[0].y.column, "accuracy");
    EXPECT_EQ(figures.figures[0].x.column, "depth");
    ASSERT_EQ(figures.tables.size(), 1U);
    EXPECT_THAT(figures.tables[0].by, Contains("optimizer_lr"));
}

TEST(DefaultFigures, OfOneRunAreATable) {
    const std::vector<NamedPlan> plans{
        {"one", planned("[base]\nmodel.spec = \"mixer:depth=2,channels=64,patch=4,image=32,"
                        "classes=10\"\ndata.name = \"cifar10\"\n")}};
    const auto figures = default_figures(plans, run_rows(plans, fixture_runs).value());
    EXPECT_TRUE(figures.figures.empty());
    EXPECT_THAT(figures.tables[0].by, ElementsAre("spec"));
}

}  // namespace
}  // namespace plimsoll::lab

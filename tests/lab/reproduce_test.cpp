#include "plimsoll/lab/experiment/reproduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/text.h"
#include "plimsoll/lab/experiment/report_source.h"
#include "tests/lab/experiment_support.h"
#include "tests/lab/fake_trainer.h"
#include "tests/lab/table_support.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string prepared_scale = one_scale +
                                   "[[smoke.prepare]]\nfile = \"data/words.txt\"\n"
                                   "from = \"synthetic:grammar,bytes=1000\"\n";
const std::string width_figure =
    "[[figures]]\nname = \"width\"\ntitle = \"Wider is better\"\nx = { column = \"width\" }\n"
    "y = { column = \"validation_loss\" }\n[[tables]]\nname = \"all\"\nby = [\"width\"]\n"
    "values = [\"validation_loss\"]\n[[contrasts]]\nname = \"16 against 8\"\nvalue = \"validation_loss\"\n"
    "a = [\"width == 16\"]\nb = [\"width == 8\"]\nmatch = [\"seed\"]\npredicted = \"a < b\"\n";

// Plays a run that is done: its loss falls with the width and hangs a little on the seed. It must find its
// data in the folder it works in.
const std::string trained_script = worker_script(
    "test -f data/words.txt || { echo 'error: data: not here' >&2; exit 3; }\n"
    "case $(cat $config) in *width=16*) loss=1;; *) loss=2;; esac\n"
    "printf '{\"step\": 3, \"loss\": %s.5}\\n{\"step\": 3, \"validation\": "
    "{\"loss\": %s.0%s}}\\n' $loss $loss $seed "
    "> $run/metrics.jsonl\nstate done\n");

// An experiment of four played runs and the folder of its output.
class Played {
  public:
    explicit Played(const std::string& script = trained_script, const std::string& figure = width_figure,
                    const std::string& scale = prepared_scale)
        : made_(experiment_words + scale, figure), trainer_(script) {
        options.out = out();
        options.runner.program = trainer_.program();
        options.runner.patience = std::chrono::milliseconds(0);
    }
    Result<Reproduction> run() {
        const auto experiment = read_experiment(made_.folder());
        EXPECT_TRUE(experiment.ok()) << experiment.error().text();
        return reproduce(*experiment, options);
    }
    [[nodiscard]] std::size_t starts() const {
        const auto text = read_text(trainer_.folder() / "calls");
        return text.ok() ? split(trim(*text), '\n').size() : 0;
    }
    [[nodiscard]] fs::path out() const { return trainer_.folder() / "out"; }
    [[nodiscard]] const MadeExperiment& made() const { return made_; }
    ReproduceOptions options;

  private:
    MadeExperiment made_;
    FakeTrainer trainer_;
};

TEST(Reproduce, MakesFilesTrainsAndWritesTheReport) {
    Played played;
    const auto result = played.run().value();
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(played.starts(), 4U);
    for (const char* file :
         {"rows.csv", "report.md", "provenance.json", "figures/width.vl.json", "data/words.txt"})
        EXPECT_TRUE(fs::exists(played.out() / file)) << file;
    const auto rows = report::read_csv(played.out() / "rows.csv").value();
    EXPECT_THAT(rows.rows, SizeIs(4));
    EXPECT_EQ(number_at(rows, {{"width", 16.0}, {"seed", 2.0}}, "validation_loss"), 1.02);
    ASSERT_THAT(result.written.report.findings, SizeIs(1));
    EXPECT_EQ(result.written.report.findings[0].outcome, report::Outcome::as_predicted);
    EXPECT_THAT(read_text(played.out() / "report.md").value(), HasSubstr("Prediction (2026-11-15): So."));
    const auto provenance = read_json(played.out() / "provenance.json").value();
    EXPECT_EQ(provenance.at("scale"), "smoke");
    EXPECT_EQ(provenance.at("runs").size(), 4U);
    EXPECT_EQ(provenance.at("phases").at("done"), 4);
}

TEST(Reproduce, TrainsNothingTwiceAndGivesTheSameRows) {
    Played played;
    ASSERT_TRUE(played.run().ok());
    const auto before = read_text(played.out() / "rows.csv").value();
    const auto again = played.run().value();
    EXPECT_TRUE(again.complete);
    EXPECT_EQ(played.starts(), 4U);
    EXPECT_EQ(read_text(played.out() / "rows.csv").value(), before);
}

// Asked to stop after the first run: a report of what is done that says so, and the same call goes on.
TEST(Reproduce, StopsWithAPartialReportAndGoesOn) {
    Played played;
    bool stop = false;
    played.options.runner.tell = [&](const SweepProgress& progress) { stop = stop || progress.done > 0; };
    played.options.runner.stop_requested = [&] { return stop; };
    const auto stopped = played.run().value();
    EXPECT_FALSE(stopped.complete);
    EXPECT_THAT(stopped.partial, HasSubstr("of 4 runs are done"));
    EXPECT_LT(played.starts(), 4U);
    EXPECT_THAT(read_text(played.out() / "report.md").value(), HasSubstr("Incomplete: "));
    EXPECT_THAT(report::read_csv(played.out() / "rows.csv").value().rows, SizeIs(4));
    played.options.runner.stop_requested = nullptr;
    EXPECT_TRUE(played.run().value().complete);
    EXPECT_EQ(played.starts(), 4U);
}

TEST(Reproduce, ARunThatFailsIsInTheReport) {
    Played played(worker_script(
        "case $seed in 2) state failed 'the loss is nan'; exit 1;; esac\n"
        "printf '{\"step\": 3, \"validation\": {\"loss\": 1.5}}\\n' > $run/metrics.jsonl\nstate done\n"));
    const auto result = played.run().value();
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(result.partial, "2 of 4 runs are done, 2 failed");
    const auto rows = report::read_csv(played.out() / "rows.csv").value();
    EXPECT_EQ(text_at(rows, {{"width", 8.0}, {"seed", 2.0}}, "phase"), "failed");
}

TEST(Reproduce, MissingDataIsSaidBeforeAnythingIsMadeOrTrained) {
    Played played(trained_script, width_figure, one_scale + "data = [\"no-such-set\"]\n");
    const auto error = played.run().error();
    EXPECT_EQ(error.kind, ErrorKind::not_found);
    EXPECT_THAT(error.text(), HasSubstr("no-such-set: no such file or folder"));
    EXPECT_THAT(error.text(), HasSubstr("data/words.txt: no such file or folder"));  // of the sweep itself
    EXPECT_EQ(played.starts(), 0U);
    EXPECT_FALSE(fs::exists(played.out()));
}

TEST(Reproduce, AColumnThatWillNotBeThereIsSaidBeforeAnythingIsTrained) {
    Played played(trained_script,
                  "[[figures]]\nname = \"w\"\ntitle = \"t\"\nx = { column = \"widht\" }\n"
                  "y = { column = \"validation_loss\" }\n");
    EXPECT_THAT(played.run().error().text(), HasSubstr("did you mean width"));
    EXPECT_EQ(played.starts(), 0U);
}

TEST(Reproduce, KeepsResultsInTheFolderOfTheExperiment) {
    Played played;
    played.options.keep = true;
    ASSERT_TRUE(played.run().ok());
    const fs::path kept = played.made().folder() / "results/smoke.rows.csv";
    EXPECT_EQ(read_text(kept).value(), read_text(played.out() / "rows.csv").value());
    EXPECT_TRUE(fs::exists(played.made().folder() / "results/smoke.provenance.json"));
    // And a report can be made of them, without runs.
    const auto source =
        read_report_source({.target = played.made().folder().string(), .scale = "smoke"}).value();
    EXPECT_THAT(source.tables.at("runs").rows, SizeIs(4));
    EXPECT_EQ(source.title, "A title");
    const auto none = read_report_source({.target = played.made().folder().string(),
                                          .scale = "smoke",
                                          .rows = {played.out() / "nothing.csv"}});
    EXPECT_EQ(none.error().kind, ErrorKind::not_found);
}

TEST(ReportSource, OfASweepHasItsRunsAndADefaultFigure) {
    Played played;
    ASSERT_TRUE(played.run().ok());
    const auto source = read_report_source({.target = (played.made().folder() / "small.toml").string(),
                                            .runs = played.out() / "runs"})
                            .value();
    EXPECT_EQ(source.first, "runs");
    ASSERT_THAT(source.figures.figures, SizeIs(1));
    EXPECT_EQ(source.figures.figures[0].x.column, "width");
    const auto written = write_report(source, {});
    ASSERT_TRUE(written.ok()) << written.error().text();
    EXPECT_THAT(written->files, IsEmpty());
    EXPECT_EQ(read_report_source({}).error().text(),
              "report: needs an experiment or a sweep.toml, or --rows and --figure");
}

TEST(ReportSource, WithoutKeptRowsSaysHowToMakeThem) {
    const MadeExperiment made(experiment_words + one_scale, width_figure);
    EXPECT_THAT(read_report_source({.target = made.folder().string(), .scale = "smoke"}).error().text(),
                HasSubstr("no rows are kept for scale smoke; plimsoll reproduce"));
}

}  // namespace
}  // namespace plimsoll::lab

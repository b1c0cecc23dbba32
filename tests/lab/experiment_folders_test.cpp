#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/data/synthetic/synthetic.h"
#include "plimsoll/lab/experiment/reproduce.h"

// Every folder of experiments/: it is read, its sweeps can be planned without their data, and its figures
// name columns that its rows will have.
namespace plimsoll::lab {
namespace {

std::vector<Experiment> all() {
    const auto found = list_experiments(PLIMSOLL_SOURCE_DIR "/experiments");
    EXPECT_TRUE(found.ok()) << found.error().text();
    return found.ok() ? *found : std::vector<Experiment>{};
}

TEST(ExperimentFolders, ArePlannedAndDrawnAtEveryScale) {
    ASSERT_FALSE(all().empty());
    for (const Experiment& experiment : all()) {
        const auto figures = report::read_figures(experiment.figure_file());
        ASSERT_TRUE(figures.ok()) << figures.error().text();
        EXPECT_FALSE(figures->figures.empty()) << experiment.id << " draws nothing";
        for (const Scale& scale : experiment.scales) {
            const auto plan = plan_reproduction(experiment, scale);
            ASSERT_TRUE(plan.ok()) << experiment.id << ": " << plan.error().text();
            EXPECT_TRUE(!plan->all.jobs.empty() || !experiment.compute.empty()) << experiment.id;
            const Status drawn = check_figures(experiment, scale, plan->sweeps, *figures);
            EXPECT_TRUE(drawn.ok()) << experiment.id << ", " << scale.name << ": " << drawn.error().text();
        }
    }
}

// What the smoke scale reads is made on the spot or a package of the system.
TEST(ExperimentFolders, SmokeScalesNeedNothingFromElsewhere) {
    for (const Experiment& experiment : all()) {
        const auto scale = experiment.scale("smoke");
        ASSERT_TRUE(scale.ok()) << experiment.id;
        const auto plan = plan_reproduction(experiment, **scale);
        ASSERT_TRUE(plan.ok()) << plan.error().text();
        for (const NeededData& one : plan->data) {
            const bool made =
                std::ranges::find((*scale)->prepare, one.name, &Preparation::file) != (*scale)->prepare.end();
            EXPECT_TRUE(made || data::is_synthetic(one.name) || one.name == "fashion-mnist")
                << experiment.id << " reads " << one.name;
        }
    }
}

// Whatever a scale reads beyond synthetic and made sets stands in its list of data.
TEST(ExperimentFolders, NameTheDataTheyNeed) {
    for (const Experiment& experiment : all())
        for (const Scale& scale : experiment.scales) {
            const auto plan = plan_reproduction(experiment, scale);
            ASSERT_TRUE(plan.ok()) << plan.error().text();
            for (const NeededData& one : plan->data) {
                const bool made =
                    std::ranges::find(scale.prepare, one.name, &Preparation::file) != scale.prepare.end();
                const bool named = std::ranges::find(scale.data, one.name) != scale.data.end();
                EXPECT_TRUE(made || named || data::is_synthetic(one.name))
                    << experiment.id << ", " << scale.name << ": " << one.name << " is not in data";
            }
        }
}

TEST(ExperimentFolders, TellTheirPredictionInTheirReadme) {
    for (const Experiment& experiment : all()) {
        const auto readme = read_text(experiment.folder / "README.md");
        ASSERT_TRUE(readme.ok()) << experiment.id;
        EXPECT_THAT(*readme, ::testing::HasSubstr("rediction")) << experiment.id;
        EXPECT_THAT(*readme, ::testing::HasSubstr(experiment.predicted_on)) << experiment.id;
    }
}

}  // namespace
}  // namespace plimsoll::lab

#include "plimsoll/fit/hand_over.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "plimsoll/base/files.h"
#include "plimsoll/fit/fit_json.h"
#include "plimsoll/fit/full_budget.h"
#include "plimsoll/fit/race/run_settings.h"
#include "plimsoll/report/page/figure_runtime.h"
#include "tests/exporter/export_support.h"
#include "tests/fit/page_races.h"
#include "tests/fit/read_back.h"
#include "tests/support/error_text.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::fit {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const PlayedFit& hops() {
    static const PlayedFit fit = [] {
        DataLook look = hops_look();
        look.inputs[0].tokenizer = "";  // symbols have none
        PlayedFit played = played_fit(look, 20'000, 2);
        played.race.plan.batch = 16;
        return played;
    }();
    return fit;
}

// Without what draws figures: the page becomes Markdown, and nothing is started.
class HandOver : public ::testing::Test {
  protected:
    HandOver() : fit(hops()) {
        ::setenv("PLIMSOLL_FIGURES", (folder.path() / "nowhere").c_str(), 1);
        fit.request.out = folder.path() / "out";
        fit.options.runs = folder.path() / "runs";
    }
    ~HandOver() override { ::unsetenv("PLIMSOLL_FIGURES"); }

    HandedOver handed() {
        auto done = hand_over(fit.request, fit.look, fit.proposal, fit.race, fit.decision, fit.options);
        EXPECT_TRUE(done.ok()) << error_text(done);
        return done.ok() ? std::move(done).value() : HandedOver{};
    }
    [[nodiscard]] std::string text(const std::string& name) const {
        return read_text(fit.request.out / name).value();
    }
    [[nodiscard]] const Candidate& winner() const {
        return *find_candidate(fit.proposal, fit.decision.winner);
    }

    // Gives each run of the winner on the last rung a folder with a checkpoint; the best of them.
    const RaceEntry* make_runs() {
        const RaceEntry* best = nullptr;
        for (RaceEntry& entry : fit.race.entries) {
            if (entry.candidate != fit.decision.winner || entry.rung != fit.decision.rung) continue;
            const auto config =
                run_config(fit.request, fit.look, winner(), {entry.flops, entry.rate, 16, entry.seed, true})
                    .value();
            entry.run = exporter::make_run(fit.options.runs, config).filename().string();
            if (best == nullptr || entry.value > best->value) best = &entry;
        }
        return best;
    }

    testing::TempDir folder;
    PlayedFit fit;
};

TEST_F(HandOver, WritesTheBestRunsWeightsAndSaysWhichRun) {
    const RaceEntry* best = make_runs();
    const auto done = handed();
    ASSERT_EQ(done.model, "model");
    EXPECT_EQ(done.exported->step, 7);
    EXPECT_TRUE(fs::exists(fit.request.out / "model" / "model.safetensors"));
    const bool stock = !done.exported->stock_class.empty();
    EXPECT_TRUE(fs::exists(fit.request.out / "model" / (stock ? "config.json" : "plimsoll.toml")));
    EXPECT_THAT(done.notes, Contains(HasSubstr(fmt::format("run {} (seed {}", best->run, best->seed))));
}

TEST_F(HandOver, ASecondCallReplacesWhatTheFirstWrote) {
    make_runs();
    handed();
    const std::string before = text("fit.json");
    fit.options.partial = "the race was stopped";
    fit.decision.sentence = "Another sentence.";
    EXPECT_EQ(handed().model, "model");
    EXPECT_THAT(text("report.md"), HasSubstr("Incomplete: the race was stopped"));
    EXPECT_THAT(text("report.md"), HasSubstr("The best answer so far"));
    EXPECT_THAT(text("fit.json"), HasSubstr("Another sentence."));
    EXPECT_THAT(before, Not(HasSubstr("Another sentence.")));
}

TEST_F(HandOver, WithoutACheckpointItIsANoteAndTheRestIsThere) {
    const auto done = handed();
    EXPECT_EQ(done.model, "");
    EXPECT_FALSE(done.exported.has_value());
    EXPECT_THAT(done.notes, Contains(HasSubstr("The weights could not be written")));
    for (const char* name : {"report.md", "fit.json", "winner.toml"})
        EXPECT_TRUE(fs::exists(fit.request.out / name)) << name;
}

TEST_F(HandOver, SomebodysOwnFilesStayAndTheNoteNamesThem) {
    make_runs();
    fs::create_directories(fit.request.out / "model");
    std::ofstream(fit.request.out / "model" / "thesis.tex") << "mine";
    const auto done = handed();
    EXPECT_EQ(done.model, "");
    EXPECT_THAT(done.notes, Contains(HasSubstr("holds 'thesis.tex', which no export wrote")));
    EXPECT_EQ(text("model/thesis.tex"), "mine");
}

TEST_F(HandOver, TheCommandTrainsTheConfigThatIsThere) {
    fit.request.out = folder.path() / "an out";
    fit.options.command = "bin/plimsoll fit synthetic:hops=2";
    const auto done = handed();
    const std::string out = fit.request.out.string();
    EXPECT_EQ(done.command,
              fmt::format("bin/plimsoll train '{0}/winner.toml' --runs '{0}/full' --device cpu", out));
    const auto config = run::read_run_config(fit.request.out / done.config).value();
    EXPECT_EQ(config,
              full_budget_config(fit.request, fit.look, fit.proposal, winner(), fit.race, 1e-3).value());
    EXPECT_EQ(config.model.spec, winner().spec);
}

TEST_F(HandOver, TheWholeBudgetGoesIntoOneRun) {
    const auto config =
        full_budget_config(fit.request, fit.look, fit.proposal, winner(), fit.race, 2e-3).value();
    EXPECT_EQ(config.optimizer.lr, 2e-3);
    EXPECT_EQ(config.train.batch, 16);
    const double step = 16 * flops_per_example(fit.look, winner());
    EXPECT_NEAR(static_cast<double>(config.train.steps) * step, fit.race.flops, step / 2);
    fit.request.flops = 10 * fit.race.flops;
    const auto larger =
        full_budget_config(fit.request, fit.look, fit.proposal, winner(), fit.race, 2e-3).value();
    EXPECT_NEAR(static_cast<double>(larger.train.steps) * step, 10 * fit.race.flops, step / 2);
}

// Stopped after a quarter of its time: the full budget is still that of the whole time.
TEST_F(HandOver, AStoppedRaceStillPlansForItsWholeTime) {
    fit.race.complete = false;
    fit.request.seconds = 4 * fit.race.seconds;
    const auto config =
        full_budget_config(fit.request, fit.look, fit.proposal, winner(), fit.race, 1e-3).value();
    const double step = 16 * flops_per_example(fit.look, winner());
    EXPECT_NEAR(static_cast<double>(config.train.steps) * step, 4 * fit.race.flops, step / 2);
}

TEST_F(HandOver, EveryPartOfFitJsonReadsBackAsItWas) {
    handed();
    const Json all = parse_json(text("fit.json"), "fit.json").value();
    EXPECT_EQ(all.at("format"), "plimsoll-fit-1");
    EXPECT_EQ(to_json(request_from_json(all.at("request")).value()), to_json(fit.request));
    EXPECT_EQ(look_from_json(all.at("look"), "look").value(), fit.look);
    EXPECT_EQ(to_json(proposal_from_json(all.at("proposal")).value()), to_json(fit.proposal));
    EXPECT_EQ(race_from_json(all.at("race")).value(), fit.race);
    EXPECT_EQ(decision_from_json(all.at("decision")).value(), fit.decision);
    EXPECT_EQ(all.at("handed_over").at("config"), "winner.toml");
    const Json none = fit_json(fit.request, fit.look, fit.proposal, fit.race, std::nullopt, std::nullopt);
    EXPECT_TRUE(none.at("decision").is_null());
    EXPECT_TRUE(none.at("handed_over").is_null());
}

TEST_F(HandOver, WhatIsNotANumberIsNull) {
    fit.decision.rivals[0].half_width = std::numeric_limits<double>::quiet_NaN();
    handed();
    const Json all = parse_json(text("fit.json"), "fit.json").value();
    EXPECT_TRUE(all.at("decision").at("rivals").at(0).at("half_width").is_null());
}

TEST_F(HandOver, SaysWhatBringsThePageWhereNothingDraws) {
    std::filesystem::create_directories(fit.request.out);
    std::ofstream(fit.request.out / "report.html") << "of an earlier call";
    const auto done = handed();
    EXPECT_EQ(done.report, "report.md");
    EXPECT_THAT(done.missing,
                HasSubstr("tools/figure_runtime in the source tree installs the programs that draw figures"));
    EXPECT_FALSE(fs::exists(fit.request.out / "report.html"));
}

TEST_F(HandOver, APageWithAHostileNameHasNothingToRunInIt) {
    ::unsetenv("PLIMSOLL_FIGURES");
    if (!report::figures_ready().ok()) GTEST_SKIP() << report::figures_ready().error().text();
    fit.look.data = fit.request.data = "</script><script>alert(1)</script>";
    fit.options.partial = "stopped";
    const auto done = handed();
    ASSERT_EQ(done.report, "report.html");
    EXPECT_EQ(done.missing, "");
    const std::string page = text("report.html");
    EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
    EXPECT_THAT(page, HasSubstr("Incomplete: stopped"));
    EXPECT_THAT(page, HasSubstr(done.command));
    EXPECT_LT(page.find("Incomplete: stopped"), page.find("id=\"answer\""));
    EXPECT_LT(page.find("id=\"answer\""), page.find("id=\"findings\""));
    EXPECT_LT(page.find("id=\"findings\""), page.find("<figure id=\"figure-depth\""));
    EXPECT_FALSE(fs::exists(fit.request.out / "report.md"));
}

}  // namespace
}  // namespace plimsoll::fit

#include "plimsoll/fit/page/fit_page.h"

#include <set>

#include <gmock/gmock.h>

#include "plimsoll/base/format.h"
#include "plimsoll/fit/decide/compare.h"
#include "plimsoll/fit/page/capacity_map.h"
#include "plimsoll/fit/page/fit_tables.h"
#include "plimsoll/fit/page/words.h"
#include "plimsoll/fit/propose/rival.h"
#include "plimsoll/report/page/html_text.h"
#include "tests/fit/page_races.h"

namespace plimsoll::fit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Proposals take tenths of a second: each fit is played once.
const PlayedFit& text_fit() {
    static const PlayedFit fit = played_fit(text_look(), 300'000);
    return fit;
}
const PlayedFit& image_fit() {
    static const PlayedFit fit = played_fit(image_look(), 200'000);
    return fit;
}

class FitPage : public ::testing::TestWithParam<const PlayedFit& (*)()> {
  protected:
    FitPage() : fit(GetParam()()) { handed.command = "bin/plimsoll train out/winner.toml"; }

    [[nodiscard]] FitPageInput input() const {
        return {fit.request, fit.look, fit.proposal, fit.race, fit.decision, handed, fit.options};
    }
    [[nodiscard]] report::PageContent page() const { return fit_page(input()).value(); }
    [[nodiscard]] const Candidate& winner() const {
        return *find_candidate(fit.proposal, fit.decision.winner);
    }

    const PlayedFit& fit;
    HandedOver handed;
};

INSTANTIATE_TEST_SUITE_P(Data, FitPage, ::testing::Values(text_fit, image_fit));

// The value of a column in a row.
store::Cell cell(const report::Table& table, std::size_t row, const std::string& column) {
    return table.rows[row][report::column_named(table, column, "").value()];
}

TEST_P(FitPage, TheAnswerComesFirstAndIsTheDecisions) {
    const auto content = page();
    EXPECT_EQ(content.answer.value, fmt::format("{} \u00d7 {}", winner().depth, winner().width));
    EXPECT_EQ(content.answer.sentence, page_words(fit.decision.sentence));
    EXPECT_THAT(content.answer.detail, HasSubstr(winner().input.name));
    ASSERT_FALSE(content.answer.facts.empty());
    const Measure measure = measure_of(fit.look);
    EXPECT_EQ(content.answer.facts[0].second,
              page_words(value_words(fit.decision.value, fit.decision.half_width, measure)) + ", 3 seeds");
    EXPECT_EQ(content.partial, "");
}

TEST_P(FitPage, ATieIsSaidAsATie) {
    PlayedFit tied = fit;
    tied.decision.tie = true;
    tied.decision.tied = {tied.decision.winner, tied.proposal.candidates.back().id};
    tied.decision.margin_half_width = 0.1;
    const FitPageInput other{tied.request,  tied.look, tied.proposal, tied.race,
                             tied.decision, handed,    tied.options};
    const auto answer = page_answer(other);
    EXPECT_THAT(answer.eyebrow, HasSubstr("; a tie with 1 other"));
    EXPECT_EQ(answer.facts[1].first, "tie");
    EXPECT_THAT(answer.facts[1].second, HasSubstr(page_words(tied.proposal.candidates.back().label)));
    tied.decision.tie = false;
    EXPECT_THAT(page_answer(other).eyebrow, Not(HasSubstr("tie")));
}

TEST_P(FitPage, HasWhatComesNextAndTheCommand) {
    const auto content = page();
    ASSERT_EQ(content.sections.size(), 1U);
    const std::string& text = content.sections[0].text;
    EXPECT_THAT(text, HasSubstr("```\nbin/plimsoll train out/winner.toml\n```"));
    EXPECT_THAT(text, HasSubstr(page_words(fit.decision.tenfold.sentence)));
    EXPECT_THAT(text, HasSubstr(page_words(fit.decision.change_first)));
}

TEST_P(FitPage, EveryRivalHasItsVerdictAndSoHasTheory) {
    const auto findings = page().report.findings;
    ASSERT_EQ(findings.size(), 1 + fit.decision.rivals.size());
    ASSERT_EQ(fit.decision.rivals.size(), rival_rules().size());
    EXPECT_TRUE(fit.decision.theory_verdict.starts_with(report::name_of(findings[0].outcome)));
    EXPECT_THAT(findings[0].notes, ElementsAre(HasSubstr(page_words(fit.proposal.prediction))));
    for (std::size_t i = 0; i < fit.decision.rivals.size(); ++i) {
        const Versus& versus = fit.decision.rivals[i];
        EXPECT_THAT(findings[i + 1].name, HasSubstr(versus.rival));
        EXPECT_EQ(report::name_of(findings[i + 1].outcome), name_of(versus.verdict));
        EXPECT_THAT(findings[i + 1].sentence,
                    HasSubstr(page_words(find_candidate(fit.proposal, versus.candidate)->label)));
    }
}

TEST_P(FitPage, ARivalThatWonIsCalledWorseAndOneThatIsTheAnswerIsSaidSo) {
    PlayedFit lost = fit;
    lost.decision.rivals[0].difference = -0.25;
    lost.decision.rivals[0].half_width = 0.1;
    lost.decision.rivals[0].verdict = report::Outcome::against;
    lost.decision.rivals[1].candidate = lost.decision.winner;
    const FitPageInput other{lost.request,  lost.look, lost.proposal, lost.race,
                             lost.decision, handed,    lost.options};
    const auto findings = page_findings(other);
    EXPECT_EQ(findings[1].outcome, report::Outcome::against);
    EXPECT_THAT(findings[1].sentence,
                HasSubstr(fit.look.goal == Goal::accuracy
                              ? "the recommendation is 25 \u00b1 10 points worse"
                              : "the recommendation is 0.25 \u00b1 0.1 bits per byte worse"));
    EXPECT_THAT(findings[2].sentence, HasSubstr("is the recommendation itself"));
    EXPECT_EQ(findings[2].outcome, report::Outcome::no_prediction);
}

TEST_P(FitPage, HasTheFiveFiguresWithMarksForEveryRole) {
    const auto figures = page().report.figures;
    ASSERT_EQ(figures.size(), 5U);
    EXPECT_EQ(figures[0].name, "valley");
    const PageRoles roles = roles_of(fit.proposal, fit.decision);
    EXPECT_EQ(roles.names[1], "recommended");
    std::set<std::string> seen;
    for (const auto& candidate : fit.proposal.candidates) seen.insert(roles.of(candidate));
    for (const char* name : {"valley", "depth", "map", "race", "dependence"})
        EXPECT_TRUE(std::ranges::any_of(figures, [&](const auto& f) { return f.name == name; })) << name;
    EXPECT_LE(seen.size(), 8U) << "more than eight cannot be told apart";
    for (const auto& role : seen) EXPECT_THAT(roles.names, ::testing::Contains(role));
    // Colour and symbol of a role are the same wherever it is drawn.
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_THAT(figures[i].vega_lite.dump(), HasSubstr(Json(roles.names).dump())) << figures[i].name;
}

TEST_P(FitPage, TheRowsAreTheRacesRuns) {
    const auto rows = run_rows(input(), roles_of(fit.proposal, fit.decision));
    ASSERT_EQ(rows.rows.size(), fit.race.entries.size());
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        const RaceEntry& entry = fit.race.entries[i];
        EXPECT_EQ(cell(rows, i, "value"), store::Cell(entry.value));
        EXPECT_EQ(cell(rows, i, "run"), store::Cell(entry.run));
        EXPECT_EQ(cell(rows, i, "units_seen"), store::Cell(entry.units_seen));
        EXPECT_EQ(cell(rows, i, "rung"), store::Cell(std::int64_t{entry.rung}));
    }
}

// The table's means come from counted_runs, the decision's from rung_table: two ways to one number.
TEST_P(FitPage, MeansByRungAreThoseThatTheDecisionCompares) {
    const auto table = page_tables(input(), roles_of(fit.proposal, fit.decision)).front();
    EXPECT_EQ(table.rows.size(), fit.proposal.candidates.size());
    EXPECT_EQ(table.rows[0].at("id"), fit.decision.winner);
    std::size_t compared = 0;
    for (const int rung : rungs_downwards(fit.race)) {
        const auto rung_of = rung_table(fit.race, rung, fit.look.goal).value();
        for (const auto& row : table.rows) {
            const auto at = rung_of.row(row.at("id"));
            ASSERT_EQ(at.has_value(), !row.at(rung_name(rung)).is_null());
            if (!at) continue;
            EXPECT_DOUBLE_EQ(row.at(rung_name(rung)).at("mean").get<double>(), rung_of.mean(*at));
            ++compared;
        }
    }
    EXPECT_GT(compared, fit.proposal.candidates.size());
}

TEST_P(FitPage, ARateThatDoesNotCountIsNotAveraged) {
    PlayedFit two = fit;
    RaceEntry bad = two.race.entries.front();
    bad.rate *= 100;
    bad.value = fit.look.goal == Goal::accuracy ? 0.01 : 9;
    two.race.entries.push_back(bad);
    const FitPageInput other{two.request,  two.look, two.proposal, two.race,
                             two.decision, handed,   two.options};
    const auto roles = roles_of(two.proposal, two.decision);
    const auto rows = run_rows(other, roles);
    EXPECT_EQ(cell(rows, rows.rows.size() - 1, "counts"), store::Cell(false));
    EXPECT_EQ(page_tables(other, roles).front().rows, page_tables(input(), roles).front().rows);
    EXPECT_EQ(fit_page(other).value().report.figures[0].vega_lite, page().report.figures[0].vega_lite);
}

TEST_P(FitPage, TablesHaveInputsSplitsFindingsAndWhatWasLeftOut) {
    const auto tables = page_tables(input(), roles_of(fit.proposal, fit.decision));
    const auto named = [&](const std::string& name) {
        return std::ranges::find(tables, name, &report::TextTable::name);
    };
    ASSERT_NE(named("inputs"), tables.end());
    EXPECT_EQ(named("inputs")->cells.size(), fit.look.inputs.size());
    EXPECT_EQ(named("splits")->cells.size(), 2U);
    EXPECT_EQ(named("pruned")->cells.size(), fit.proposal.pruned.size());
    std::size_t telling = 0;
    for (const auto& candidate : fit.proposal.candidates)
        telling += static_cast<std::size_t>(std::ranges::count_if(
            candidate.findings,
            [](const RuleReading& finding) { return finding.severity != advise::Severity::passed; }));
    EXPECT_EQ(named("findings")->cells.size(), telling);
    for (const auto& table : tables)
        for (const auto& row : table.cells) EXPECT_EQ(row.size(), table.columns.size()) << table.name;
}

TEST_P(FitPage, TheMapsSymbolsLieWhereTheirNetworksAre) {
    const auto figure = capacity_map(input(), roles_of(fit.proposal, fit.decision)).value();
    std::set<std::pair<double, double>> drawn, shapes;
    for (const auto& layer : figure.vega_lite.at("layer"))
        for (const auto& row : layer.at("data").at("values"))
            if (row.contains("network")) drawn.emplace(row.at("x"), row.at("y"));
    for (const auto& candidate : fit.proposal.candidates)
        if (candidate.family == winner().family) shapes.emplace(candidate.width, candidate.depth);
    EXPECT_EQ(drawn, shapes);
}

// The figure's points are the runs that count, its curve and its valley the decision's own.
TEST_P(FitPage, TheValleysFigureHasTheRunsAndTheCurveOfTheDecision) {
    const auto figure = page().report.figures[0].vega_lite;
    const double scale = measure_of(fit.look).scale;
    std::multiset<double> drawn, runs;
    for (const auto& layer : figure.at("layer"))
        if (layer.at("mark").value("style", "") == "row")
            for (const auto& row : layer.at("data").at("values")) drawn.insert(row.at("y").get<double>());
    for (const auto& [id, counted] : counted_runs(fit.race, fit.decision.rung, fit.look.goal))
        for (const auto* run : counted) runs.insert(scale * run->value);
    EXPECT_EQ(drawn, runs);
    if (!fit.decision.valley.drawn()) return;
    const std::string place = Json{{"x", fit.decision.valley.curve[3].depth}}.dump();
    EXPECT_THAT(figure.dump(), HasSubstr(place.substr(1, place.size() - 2)));
}

// Time that was never measured is no table; where it was, the fastest is first and on the front.
TEST_P(FitPage, CostsAreThoseOfTheRungThatDecided) {
    const auto tables = page_tables(input(), roles_of(fit.proposal, fit.decision));
    const auto costs = std::ranges::find(tables, std::string("costs"), &report::TextTable::name);
    ASSERT_NE(costs, tables.end());
    EXPECT_EQ(costs->rows.size(), fit.decision.costs.size());
    EXPECT_TRUE(costs->rows.front().at("on_front"));
    const auto& cost = fit.decision.costs.front();
    const auto runs = counted_runs(fit.race, fit.decision.rung, fit.look.goal).at(cost.candidate);
    EXPECT_DOUBLE_EQ(cost.run_seconds, runs.front()->seconds);
    EXPECT_DOUBLE_EQ(cost.seconds_per_unit, runs.front()->seconds / runs.front()->units_seen);
}

TEST_P(FitPage, NotEnoughEvidenceIsTheHeadline) {
    PlayedFit thin = fit;
    for (auto& entry : thin.race.entries) entry.steps = 90;
    thin.decision = decide(thin.request, thin.look, thin.proposal, thin.race).value();
    const FitPageInput other{thin.request,  thin.look, thin.proposal, thin.race,
                             thin.decision, handed,    thin.options};
    const auto answer = page_answer(other);
    EXPECT_THAT(answer.eyebrow, HasSubstr("Not enough evidence; the best guess"));
    EXPECT_THAT(answer.sentence, HasSubstr("Best guess: "));
    const auto missing = std::ranges::find(answer.facts, std::string("not enough"),
                                           &std::pair<std::string, std::string>::first);
    ASSERT_NE(missing, answer.facts.end());
    EXPECT_THAT(missing->second, HasSubstr("Its runs have 90 steps"));
    EXPECT_THAT(missing->second, HasSubstr("would settle it."));
}

TEST_P(FitPage, WhoWasNotDoneInTimeIsNotCalledOut) {
    PlayedFit late = fit;
    const int highest = rungs_downwards(late.race).front();
    const auto out = std::ranges::find_if(late.proposal.candidates, [&](const Candidate& candidate) {
        return std::ranges::none_of(late.race.entries, [&](const RaceEntry& entry) {
            return entry.candidate == candidate.id && entry.rung == highest;
        });
    });
    ASSERT_NE(out, late.proposal.candidates.end());
    const FitPageInput other{late.request,  late.look, late.proposal, late.race,
                             late.decision, handed,    late.options};
    int last = 0;
    for (const auto& entry : late.race.entries)
        if (entry.candidate == out->id) last = std::max(last, entry.rung);
    const std::string words = fmt::format("not done on {}", rung_name(last + 1));
    EXPECT_THAT(fit_page_markdown(fit_page(other).value()), Not(HasSubstr(words)));
    late.race.plan.candidates.assign(static_cast<std::size_t>(highest) + 1, {out->id});
    EXPECT_THAT(fit_page_markdown(fit_page(other).value()), HasSubstr(words));
}

TEST_P(FitPage, NothingOnThePageIsNotANumber) {
    PlayedFit odd = fit;
    odd.decision.rivals[0].half_width = std::numeric_limits<double>::quiet_NaN();
    odd.race.entries.back().state = EntryState::failed;
    odd.race.entries.back().value = std::numeric_limits<double>::quiet_NaN();
    const FitPageInput other{odd.request,  odd.look, odd.proposal, odd.race,
                             odd.decision, handed,   odd.options};
    const auto content = fit_page(other).value();
    const std::string text = fit_page_markdown(content);
    EXPECT_THAT(text, Not(::testing::ContainsRegex("[^a-z]nan[^a-z]")));
    EXPECT_THAT(text, HasSubstr("has no rung in common with the recommendation"));
    EXPECT_THAT(text, HasSubstr("1 run failed"));
    for (const auto& figure : content.report.figures)
        EXPECT_THAT(figure.vega_lite.dump(), Not(HasSubstr("null,null")));
}

TEST(FitPageWords, SignsAreThoseOfThePage) {
    EXPECT_EQ(page_words("6 x 96 beats 12 x 8 by 1 +- 2; max x 3"),
              "6 \u00d7 96 beats 12 \u00d7 8 by 1 \u00b1 2; max x 3");
    const Measure percent = measure_of(image_look()), bits = measure_of(text_look());
    EXPECT_EQ(value_words(0.9123, 0.0041, percent), "91.23 +- 0.41 %");
    EXPECT_EQ(difference_words(0.0123, 0.0041, percent), "1.23 +- 0.41 points");
    EXPECT_EQ(value_words(1.91234, 0.012, bits), "1.912 +- 0.012 bits per byte");
    EXPECT_EQ(value_words(1.91234, std::numeric_limits<double>::infinity(), bits), "1.912 bits per byte");
}

}  // namespace
}  // namespace plimsoll::fit

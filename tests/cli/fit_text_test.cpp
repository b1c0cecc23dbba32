#include "plimsoll/cli/fit/fit_text.h"

#include <cstdlib>
#include <limits>
#include <sstream>

#include <gmock/gmock.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/fit/fit_answer.h"
#include "plimsoll/cli/fit/fit_view.h"
#include "plimsoll/cli/fit/plan_text.h"
#include "plimsoll/fit/decide/decide.h"
#include "tests/fit/races.h"

namespace plimsoll::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A terminal that wide, as long as it lives.
struct Columns {
    explicit Columns(int number) { ::setenv("COLUMNS", std::to_string(number).c_str(), 1); }
    Columns(const Columns&) = delete;
    Columns& operator=(const Columns&) = delete;
    ~Columns() { ::unsetenv("COLUMNS"); }
};

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string line_with(const std::string& text, const std::string& part) {
    for (const auto& line : lines_of(text))
        if (line.find(part) != std::string::npos) return line;
    return "no line has " + part;
}

void expect_fits(const std::string& text) {
    for (const auto& line : lines_of(text)) EXPECT_LE(line.size(), 100u) << line;
}

// A fit of made-up runs: depth 1.5 lines is best, and each doubling from there costs 0.1 bits.
struct Made {
    fit::FitRequest request;
    fit::DataLook look = fit::text_look();
    fit::Proposal proposal;
    fit::Race race;
    fit::Decision decision;

    Made() {
        look.dependence.of = "bytes";
        look.dependence.window = 16;
        look.dependence.by_distance = {
            {1, 1.6, 0.001}, {2, 0.8, 0.001}, {4, 0.002, 0.001}, {8, 0.0005, 0.001}, {16, 0.0001, 0.002}};
        look.dependence.splits = {{"left/right", 1.5, 0.01}, {"interleaved", 3, 0.01}};
        look.dependence.sentences = {"Measured: bytes share something."};
        look.notes = {"A note."};
        proposal = fit::proposal_for(look, 100'000);
        fit::PlayedRace played;
        played.truth = [](const fit::Candidate& one) {
            return 2 + 0.1 * std::abs(std::log2(one.depth_over_line() / 1.5));
        };
        race = fit::play(proposal, played);
        decision = fit::decide(request, look, proposal, race).value();
    }
};

TEST(FitText, AHeadingSaysWhichStepAndWhetherItWasThere) {
    EXPECT_EQ(step_heading(1, false, false), "\n[1/5] Look at the data\n\n");
    EXPECT_EQ(step_heading(5, true, false), "\n[5/5] Hand over (done by an earlier call)\n\n");
    EXPECT_EQ(step_heading(2, false, true), "\n\033[1m[2/5] Propose\033[0m\n\n");
}

TEST(FitText, TheRequestNamesBudgetAndFolder) {
    fit::FitRequest request;
    request.data = "book.txt";
    request.seconds = 600;
    request.out = "fit-book";
    EXPECT_EQ(request_text(request),
              "  data       book.txt\n"
              "  budget     10 min on cpu, 1 run at a time\n"
              "  parameters chosen from data and budget\n"
              "  folder     fit-book\n");
    request.seconds.reset();
    request.flops = 1e15;
    request.workers = 2;
    request.parameters = 10'000'000;
    EXPECT_THAT(request_text(request), HasSubstr("  budget     1e+15 FLOPs on cpu, 2 runs at a time\n"
                                                 "  parameters 10.0 M\n"));
}

TEST(FitText, DependenceIsDrawnToScaleAndWhatShowsNothingIsOneLine) {
    EXPECT_EQ(dependence_chart(Made().look.dependence),
              "  bits that two bytes share, by distance\n"
              "            1  ==================================  1.6\n"
              "            2  =================                   0.8\n"
              "            4  =                                   0.002\n"
              "        8..16                                      within the noise of 0.002\n"
              "\n"
              "  bits that the halves of 16 bytes share at least\n"
              "   left/right  =================                   1.5\n"
              "  interleaved  ==================================  3\n");
}

TEST(FitText, DataWithoutAnyDependenceSaysSo) {
    fit::Dependence none;
    EXPECT_EQ(dependence_chart(none), "");
    none.of = "tokens";
    none.by_distance = {{1, 0.0001, 0.001}};
    EXPECT_EQ(lines_of(dependence_chart(none)).back(),
              "            1                                      within the noise of 0.001");
}

TEST(FitText, TheLookHasATableOfInputsAndItsNotesLast) {
    const std::string text = look_text(Made().look, false);
    EXPECT_EQ(line_with(text, "bpe-500"),
              "  bpe-500           500             2       64    480              480");
    EXPECT_EQ(line_with(text, "vocabulary"),
              "  input      vocabulary   bytes/token   tokens   rank   effective rank");
    EXPECT_EQ(lines_of(text).back(), "- A note.");
    EXPECT_THAT(text, Not(HasSubstr("tokens an example")));  // what the table says is not said twice
    expect_fits(text);
}

TEST(FitText, ImagesHavePatchesAndNoVocabulary) {
    const std::string text = look_text(fit::image_look(), false);
    EXPECT_EQ(line_with(text, "input"), "  input     numbers/token   tokens   rank   effective rank");
    EXPECT_EQ(line_with(text, "patch 7"), "  patch 7              49       16     49               49");
}

TEST(FitText, TheProposalHasEveryCandidateItsReasonAndWhatWasLeftOut) {
    const Columns wide(100);  // nothing is folded
    const Made made;
    const std::string text = proposal_text(made.proposal, false);
    for (const auto& one : made.proposal.candidates) {
        EXPECT_THAT(line_with(text, one.id + "   "), HasSubstr(one.label));
        EXPECT_THAT(text, HasSubstr("\n  " + one.id + "   " + one.why.substr(0, 20)));
    }
    EXPECT_EQ(line_with(text, made.proposal.favourite + "   ")[0], '>');
    for (const auto& left : made.proposal.pruned) EXPECT_THAT(text, HasSubstr("- " + left.substr(0, 20)));
    EXPECT_THAT(text, HasSubstr("The load line expects"));
    expect_fits(text);
}

// What is tried first is said before the race, and what it chose before the table.
TEST(FitText, HowTheDataIsCutIsSaidBeforeTheTableAndAfterItsTrials) {
    const Made made;
    const std::string before = proposal_text(made.proposal, false);
    EXPECT_THAT(before,
                HasSubstr("How the data is cut is tried first, on one network of about 4 layers each:"));
    EXPECT_THAT(before, HasSubstr("which theory prefers."));
    const std::string& first = made.proposal.trials->networks.front().input.name;
    ASSERT_NE(first, "bpe-2000");
    const auto same = fit::settle(made.request, made.look, made.proposal, {{"transformer", first}}).value();
    EXPECT_EQ(settled_text(same, false),
              fmt::format("  The depths race on {}, as theory prefers: the networks "
                          "are those above.\n\n",
                          first));
    const auto settled =
        fit::settle(made.request, made.look, made.proposal, {{"transformer", "bpe-2000"}}).value();
    const std::string after = settled_text(settled, false);
    EXPECT_THAT(after, HasSubstr("  The depths race on bpe-2000. The load line expects"));
    ::setenv("COLUMNS", "120", 1);  // no label is folded
    const std::string wide = settled_text(settled, false);
    ::unsetenv("COLUMNS");
    for (const auto& one : settled.candidates)
        EXPECT_THAT(line_with(wide, " " + one.id + "  "), HasSubstr(", bpe-2000"));
    EXPECT_THAT(proposal_text(settled, false), Not(HasSubstr("which theory prefers.")));
    expect_fits(before + after);
    const Made single = [] {
        Made one;
        one.proposal = fit::proposal_for(fit::hops_look(), 60'000);
        return one;
    }();
    EXPECT_THAT(proposal_text(single.proposal, false), Not(HasSubstr("is tried first")));
}

// The plan has the trials of the inputs, and what stands in the table until they are done.
TEST(FitText, ThePlanSaysWhatTheInputsTake) {
    fit::FitRequest request;
    request.flops = 1e13;
    request.parameters = 100'000;
    const auto fitted = fit::fitting(request, fit::text_look(), {}, [] { return 0.0; });
    ASSERT_TRUE(fitted.ok()) << fitted.error().text();
    std::string words = join(lines_of(plan_text(*fitted, fit::text_look())), " ");
    EXPECT_THAT(words, HasSubstr("Then how the data is cut"));
    EXPECT_THAT(words, HasSubstr("2 seeds each"));
    for (const char* name : {"bytes", "bpe-500", "bpe-2000"}) EXPECT_THAT(words, HasSubstr(name));
    expect_fits(plan_text(*fitted, fit::text_look()));
}

TEST(FitText, WhatAuditWouldChangeButForDepthStandsUnderItsCandidate) {
    Made made;
    made.proposal.candidates[1].findings = {
        {"R7", "vocabulary to width", "64 : 400", "0.5", "vocabulary to width 64 : 400: wasted", "proved",
         advise::Severity::act},
        {"R1", "depth to knee", "1", "6", "Depth is the race's.", "proved", advise::Severity::act},
        {"R8", "context to width", "1 : 1", "2", "Fine.", "proved", advise::Severity::passed}};
    const std::string text = proposal_text(made.proposal, false);
    EXPECT_THAT(text, HasSubstr("        ! vocabulary to width 64 : 400: wasted\n"));
    EXPECT_THAT(text, Not(HasSubstr("Fine.")));
    EXPECT_THAT(text, Not(HasSubstr("Depth is")));
}

TEST(FitText, ARungHasItsBestFirstAndSaysWhoGoesOn) {
    Made made;
    auto& race = made.race;
    race.entries.clear();
    const auto add = [&](const char* id, double rate, double value, fit::EntryState state) {
        race.entries.push_back({.candidate = id, .rate = rate, .seed = 1, .value = value, .state = state});
    };
    add("c01", 1e-3, 2.5, fit::EntryState::done);
    add("c01", 4e-3, 2.25, fit::EntryState::done);  // the better rate counts
    add("c02", 1e-3, 2.125, fit::EntryState::done);
    add("c02", 4e-3, 1.0, fit::EntryState::failed);
    add("c03", 1e-3, 0, fit::EntryState::failed);
    race.plan.candidates = {{"c01", "c02", "c03"}, {"c02"}};
    ASSERT_EQ(race.plan.candidates.size(), 2u);
    const auto lines = lines_of(rung_text(race, 0, made.look, made.proposal, false));
    ASSERT_EQ(lines.size(), 6u);
    EXPECT_THAT(lines[0], HasSubstr("bits per byte    rate   seeds"));
    EXPECT_THAT(lines[2], AllOf(HasSubstr("  c02   "), HasSubstr("2.1250   0.001       1   advances")));
    EXPECT_THAT(lines[3], AllOf(HasSubstr("  c01   "), HasSubstr("2.2500   0.004       1   out")));
    EXPECT_THAT(lines[4], AllOf(HasSubstr("! c03   "), HasSubstr("0.001       0   failed")));
}

// As in a decision: a rate with a failed run does not count, and a candidate without another has no value.
TEST(FitText, ACandidateWhoseOnlyRateFailedWithOneSeedHasFailed) {
    Made made;
    made.race.entries = {
        {.candidate = "c01", .rate = 1e-3, .seed = 1, .value = 2, .state = fit::EntryState::done},
        {.candidate = "c01", .rate = 1e-3, .seed = 2, .value = 2, .state = fit::EntryState::failed},
        {.candidate = "c02", .rate = 1e-3, .seed = 1, .value = 2.5, .state = fit::EntryState::done},
        {.candidate = "c02", .rate = 1e-3, .seed = 2, .value = 3, .state = fit::EntryState::done}};
    const auto lines = lines_of(rung_text(made.race, 0, made.look, made.proposal, false));
    EXPECT_THAT(lines[2], AllOf(HasSubstr("  c02   "), HasSubstr("2.7500   0.001       2")));
    EXPECT_THAT(lines[3], AllOf(HasSubstr("! c01   "), HasSubstr("0.001       0   failed")));
}

TEST(FitText, AccuracyIsInPercentAndMoreIsBetter) {
    const auto look = fit::hops_look();
    const auto proposal = fit::proposal_for(look, 30'000);
    fit::Race race;
    race.entries = {
        {.candidate = "c01", .rate = 1e-3, .seed = 1, .value = 0.5, .state = fit::EntryState::done},
        {.candidate = "c02", .rate = 1e-3, .seed = 1, .value = 0.75, .state = fit::EntryState::done}};
    const auto lines = lines_of(rung_text(race, 0, look, proposal, false));
    EXPECT_THAT(lines[2], AllOf(HasSubstr("c02"), HasSubstr("75.00")));
    EXPECT_THAT(lines[0], HasSubstr("% accuracy"));
}

TEST(FitText, TheDecisionLeadsWithWhatToUse) {
    const Made made;
    const std::string text = decision_text(made.decision, made.look, made.proposal, false);
    EXPECT_EQ(text.substr(0, 6), "> Use ");
    for (const char* row : {"  certainty  ", "  theory     ", "  10 times   ", "  change     "})
        EXPECT_THAT(text, HasSubstr(row));
    EXPECT_THAT(line_with(text, "12-layers"), HasSubstr(" +- "));
    expect_fits(text);
}

TEST(FitText, ARivalMayBeUsOrBeyondWhatOneSeedTells) {
    const Columns wide(110);  // nothing is folded
    Made made;
    made.decision.rivals = {{"nanochat", made.decision.winner, 0, 0, 0, report::Outcome::inside_noise},
                            {"levine-law", "c02", 0, -0.5, std::numeric_limits<double>::infinity(),
                             report::Outcome::inside_noise},
                            {"12-layers", "c03", 0, -0.5, 0.125, report::Outcome::against}};
    const std::string text = decision_text(made.decision, made.look, made.proposal, false);
    EXPECT_THAT(line_with(text, "nanochat"), HasSubstr("the same network"));
    EXPECT_THAT(line_with(text, "levine-law"), HasSubstr("-0.5 +- ?   inside the noise"));
    EXPECT_EQ(line_with(text, "levine-law")[0], '?');
    EXPECT_THAT(line_with(text, "12-layers"), HasSubstr("-0.5 +- 0.12   against the prediction"));
    EXPECT_EQ(line_with(text, "12-layers")[0], '!');
    made.decision.rivals = {{"12-layers", "c03", 0, 0, std::nan(""), report::Outcome::inside_noise}};
    EXPECT_THAT(line_with(decision_text(made.decision, made.look, made.proposal, false), "12-layers"),
                HasSubstr("not compared: no rung in common"));
}

TEST(FitText, TheHandOverNamesTheFilesAndTheCommand) {
    fit::FitRequest request;
    request.out = "fit-book";
    fit::HandedOver handed{.report = "report.html",
                           .json = "fit.json",
                           .model = "model",
                           .config = "winner.toml",
                           .command = "plimsoll train fit-book/winner.toml",
                           .exported = {},
                           .missing = "",
                           .notes = {"x"}};
    handed.exported.emplace();
    handed.exported->stock_class = "GPT2LMHeadModel";
    handed.exported->parameters = arch::Count(79098);
    EXPECT_EQ(handed_text(handed, request),
              "  folder     fit-book\n"
              "  report     report.html\n"
              "  numbers    fit.json\n"
              "  weights    model: GPT2LMHeadModel of Hugging Face, 79,098 parameters\n"
              "  config     winner.toml\n"
              "- x\n");
}

// The shape, how sure, what it costs, what to do next: what a terminal still shows at the end.
TEST(FitAnswer, TheLastLinesAnswer) {
    Made made;
    fit::HandedOver handed;
    handed.report = "report.html";
    handed.command = "plimsoll train fit-book/winner.toml --runs fit-book/full --device cpu";
    const std::string text = answer_text(made.decision, made.look, made.proposal, handed, false);
    EXPECT_LE(lines_of(text).size(), 15u);
    EXPECT_THAT(text,
                HasSubstr("\n> Use " + fit::find_candidate(made.proposal, made.decision.winner)->label));
    for (const char* row : {"  valley     ", "  chosen     as ", "  costs      ", "  report     report.html"})
        EXPECT_THAT(text, HasSubstr(row));
    EXPECT_EQ(lines_of(text).back(), "train it at full budget: " + handed.command);
    expect_fits(text);
}

TEST(FitAnswer, WhatIsMissingComesFirst) {
    Made made;
    for (auto& entry : made.race.entries) entry.steps = 60;
    made.decision = fit::decide(made.request, made.look, made.proposal, made.race).value();
    const std::string text = answer_text(made.decision, made.look, made.proposal, {}, false);
    EXPECT_EQ(lines_of(text)[1].substr(0, 23), "! Not enough evidence: ");
    EXPECT_THAT(text, HasSubstr("\n> Best guess: "));
    EXPECT_THAT(text, HasSubstr("  missing    its runs have 60 steps"));
    EXPECT_LE(lines_of(text).size(), 15u);
}

TEST(FitText, BeingStoppedSaysWhatThereIs) {
    fit::FitOutcome outcome;
    outcome.stopped = true;
    EXPECT_THAT(stopped_text(outcome), HasSubstr("there is no answer yet"));
    outcome.decision.emplace();
    EXPECT_THAT(stopped_text(outcome),
                AllOf(HasSubstr("best answer so far"), HasSubstr("\nrerun the same command to resume\n")));
}

TEST(FitView, TheBarIsToScale) {
    fit::RaceNews news;
    news.rung = 1;
    news.rungs = 4;
    news.share_done = 0.5;
    news.seconds_left = 180;
    EXPECT_EQ(race_bar(news), "[===============>              ]  50 %  rung 2 of 4  3 min left");
    news.share_done = 1;
    news.seconds_left = 0;
    EXPECT_EQ(race_bar(news), "[==============================] 100 %  rung 2 of 4");
    news.share_done = 0;
    lab::SweepProgress sweep;
    sweep.seconds_left = 20;
    news.sweep = &sweep;
    EXPECT_EQ(race_bar(news), "[>                             ]   0 %  rung 2 of 4  20 s left of this rung");
}

TEST(FitView, LinesOfARaceFitATerminal) {
    fit::RaceNews news;
    news.rung = 1;
    news.rungs = 4;
    lab::SweepProgress sweep;
    sweep.jobs = 8;
    sweep.running.assign(20,
                         {.number = 3, .id = "0d68eb5c41ce4761", .step = 1200, .steps = 4000, .loss = 2.4});
    news.sweep = &sweep;
    const auto lines = race_lines(news);
    EXPECT_EQ(lines.size(), 17u);  // the bar, two of heading, twelve runs, "and 8 more", counts
    for (const auto& line : lines) EXPECT_LT(line.size(), 80u);
    EXPECT_EQ(lines[0].substr(0, 4), "  [>");
}

}  // namespace
}  // namespace plimsoll::cli

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "plimsoll/fit/decide/decide.h"
#include "plimsoll/fit/decide/noise.h"
#include "tests/fit/races.h"

// How often decisions about races with a known truth are right. The streams are fixed, so the counts are too.
namespace plimsoll::fit {
namespace {

constexpr std::uint64_t races = 200;

struct Rates {
    double all_tied = 0, right = 0, excluded = 0;
};

// `truth` has its best at candidate `best`; "excluded" counts races that rule the true best out.
Rates rates_of(const Proposal& proposal, PlayedRace played, const std::string& best) {
    Rates rates;
    for (std::uint64_t i = 1; i <= races; ++i) {
        played.stream = i;
        const auto decision = decide({}, text_look(), proposal, play(proposal, played));
        const bool tied =
            std::find(decision->tied.begin(), decision->tied.end(), best) != decision->tied.end();
        rates.all_tied += decision->tied.size() == proposal.candidates.size();
        rates.right += decision->winner == best;
        rates.excluded += decision->winner != best && !tied;
    }
    for (double* rate : {&rates.all_tied, &rates.right, &rates.excluded}) *rate /= static_cast<double>(races);
    return rates;
}

Proposal small_proposal() {
    Proposal proposal = proposal_for(text_look(), 20'000);
    proposal.candidates.resize(5);
    return proposal;
}

// 0.92: two deviations of a rate of 0.95 over 200 races are 0.031 below; Bonferroni is on the safe side of
// it.
TEST(DecideRates, EqualCandidatesAreAllTiedInNinetyFivePercentOfRaces) {
    const Proposal proposal = small_proposal();
    for (const std::int64_t seeds : {2, 3, 5}) {
        const Rates rates = rates_of(proposal, {[](const auto&) { return 2.0; }, 0.01, 0.05, seeds}, "c01");
        EXPECT_GE(rates.all_tied, 0.92) << seeds << " seeds";
        RecordProperty("all tied, " + std::to_string(seeds) + " seeds", std::to_string(rates.all_tied));
    }
}

// Equal candidates, of which these have further noise of such a deviation, and are worse by so much.
Race unsteady_race(const Proposal& proposal, std::uint64_t number, std::int64_t seeds,
                   const std::set<std::string>& noisy, double deviation, double worse) {
    Race race = play(proposal, {[](const auto&) { return 2.0; }, 0.01, 0.05, seeds, number});
    RandomStream stream(number, "unsteady");
    for (auto& entry : race.entries)
        if (noisy.contains(entry.candidate)) entry.value += worse + deviation * normal(stream);
    return race;
}

// One candidate is ten times as noisy; the four others are tied with each other all the same.
TEST(DecideRates, AnUnsteadyCandidateDoesNotMakeTheOthersDiffer) {
    const Proposal proposal = small_proposal();
    double wrong = 0;
    for (std::uint64_t i = 1; i <= races; ++i) {
        const auto decision =
            decide({}, text_look(), proposal, unsteady_race(proposal, i, 3, {"c02"}, 0.1, 1));
        wrong += decision->tied.size() < 4;
    }
    EXPECT_LE(wrong / static_cast<double>(races), 0.08);  // as above
}

// Two of five; neither hides the other.
TEST(DecideRates, TwoUnsteadyCandidatesAreBothFound) {
    const Proposal proposal = small_proposal();
    double found = 0;
    for (std::uint64_t i = 1; i <= races; ++i) {
        const Race race = unsteady_race(proposal, i, 4, {"c02", "c04"}, 0.2, 0);
        const RungTable table = *rung_table(race, 0, Goal::bits_per_byte);
        found +=
            RungNoise(table).unsteady() == std::vector<std::size_t>{*table.row("c02"), *table.row("c04")};
    }
    EXPECT_GE(found / static_cast<double>(races), 0.9);
}

// A best that is ahead by ten deviations of a run is found always; one ahead by one is never ruled out more
// often than the level allows.
TEST(DecideRates, TheBestIsFoundOrStaysPossible) {
    const Proposal proposal = small_proposal();
    const auto ahead = [](double lead) {
        return [lead](const Candidate& c) { return c.id == "c04" ? 2.0 - lead : 2.0; };
    };
    EXPECT_GE(rates_of(proposal, {ahead(0.1), 0.01, 0.05, 3}, "c04").right, 0.99);
    EXPECT_LE(rates_of(proposal, {ahead(0.01), 0.01, 0.05, 3}, "c04").excluded, 0.08);
}

}  // namespace
}  // namespace plimsoll::fit

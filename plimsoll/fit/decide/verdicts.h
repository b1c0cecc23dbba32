#pragma once

#include <string>
#include <vector>

#include "plimsoll/fit/decide/decision.h"
#include "plimsoll/fit/decide/evidence.h"
#include "plimsoll/fit/propose/candidate.h"

// The parts of a decision that compare groups of candidates.
namespace plimsoll::fit {

// The winner against each rule's shape; one whose shape is the winner's has difference 0 and says so.
std::vector<Versus> against_rivals(const DataLook& look, const Proposal& proposal, const Race& race,
                                   const Candidate& winner);

struct TheoryVerdict {
    report::Outcome verdict = report::Outcome::cannot_tell;
    std::string sentence;  // what follows it, after a colon
};
// The best of what theory places first against the best of the others, of the favourite's family and input,
// at the highest rung that has both; nothing is said where the race cannot compare depths.
TheoryVerdict theory_verdict(const DataLook& look, const Proposal& proposal, const Race& race,
                             const std::vector<Shortfall>& shortfalls);

// What the race showed about candidates whose input's rank is below half their width (R7).
std::vector<std::string> bottleneck_notes(const DataLook& look, const Proposal& proposal, const Race& race,
                                          const Candidate& winner);

// The decision in words, of a decision that has all else.
std::string decision_sentence(const Decision& decision, const DataLook& look, const Proposal& proposal);

}  // namespace plimsoll::fit

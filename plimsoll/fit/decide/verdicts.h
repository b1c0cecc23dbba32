#pragma once

#include <string>
#include <vector>

#include "plimsoll/fit/decide/compare.h"
#include "plimsoll/fit/decide/decision.h"
#include "plimsoll/fit/propose/candidate.h"

// The parts of a decision that compare groups of candidates.
namespace plimsoll::fit {

// The three outcomes of a comparison with something that was predicted.
inline constexpr std::string_view as_predicted = "as predicted",
                                  against_prediction = "against the prediction",
                                  inside_noise = "inside the noise";

// Networks whose FLOPs per unit differ by less than this share cost the same.
inline constexpr double same_cost = 0.05;

// "as predicted" when the lead is beyond the noise, "against the prediction" when the lag is.
std::string_view verdict_of(double lead, double half_width);

// The winner against each rule's shape; one whose shape is the winner's has difference 0 and says so.
std::vector<Versus> against_rivals(const DataLook& look, const Proposal& proposal, const Race& race,
                                   const Candidate& winner);

// The best of what theory places first against the best of the others of the favourite's family, at the
// highest rung that has both.
std::string theory_verdict(const DataLook& look, const Proposal& proposal, const Race& race);

struct DepthVerdict {
    bool matters = true;
    std::string sentence;
};
// Whether depths of one family and input differ beyond the noise, at the highest rung with three of them.
DepthVerdict depth_verdict(const DataLook& look, const Proposal& proposal, const Race& race);

// What to change first if the data could be cut otherwise: the best candidate of each input, compared.
std::string change_first(const DataLook& look, const Proposal& proposal, const Race& race,
                         const Candidate& winner);

// What the race showed about candidates whose input's rank is below half their width (R7).
std::vector<std::string> bottleneck_notes(const DataLook& look, const Proposal& proposal, const Race& race,
                                          const Candidate& winner);

// The decision in words, of a decision that has all else.
std::string decision_sentence(const Decision& decision, const DataLook& look, const Proposal& proposal);

// "0.012 +- 0.004 bits per byte".
std::string with_noise(double difference, double half_width, const DataLook& look);

// "0.012 bits per byte", "1.3 points of accuracy".
std::string difference_text(double difference, const DataLook& look);

}  // namespace plimsoll::fit

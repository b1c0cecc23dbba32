#pragma once

#include <string>
#include <vector>

#include "plimsoll/fit/decide/extrapolate.h"
#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"
#include "plimsoll/fit/request.h"

// The fourth step of a fit: what the race shows. docs/FIT.md, "Deciding", has the rules.
namespace plimsoll::fit {

// The recommendation against one rival's shape, at the highest rung that both ran.
struct Versus {
    std::string rival;      // "nanochat"
    std::string candidate;  // id of its shape
    int rung = 0;
    double difference = 0;  // by how much the recommendation is better; negative: it lost
    double half_width = 0;  // 95 %, all rivals at once; not finite where one seed says nothing
    std::string verdict;    // "as predicted", "against the prediction", "inside the noise"

    bool operator==(const Versus&) const = default;
};

struct Decision {
    std::string winner;  // id of what is recommended
    std::string best;    // id of the best mean; differs from the winner in a tie that a cheaper one takes
    bool tie = false;
    std::vector<std::string> tied;  // with the winner, when there are two or more; best mean first
    int rung = 0;                   // that decided
    std::size_t seeds = 0;
    double value = 0, half_width = 0;          // of the winner, over seeds
    double margin = 0, margin_half_width = 0;  // to the best of the others; all pairs of the rung at once
    std::string certainty;                     // how sure, and by what
    std::string sentence;
    std::vector<Versus> rivals;
    std::string theory_verdict;  // begins with one of the three verdicts
    bool depth_matters = true;   // false: no difference over depths beyond the noise
    std::string depth_sentence;  // may be empty
    Tenfold tenfold;
    std::string change_first;
    std::vector<std::string> notes;

    bool operator==(const Decision&) const = default;
};

// The decision of a race; of an unfinished one the best answer so far. An error when no run has finished.
Result<Decision> decide(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                        const Race& race);

Json to_json(const Decision& decision);
Result<Decision> decision_from_json(const Json& json);

}  // namespace plimsoll::fit

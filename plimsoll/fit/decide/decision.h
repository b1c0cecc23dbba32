#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/fit/decide/costs.h"
#include "plimsoll/fit/decide/evidence.h"
#include "plimsoll/fit/decide/extrapolate.h"
#include "plimsoll/fit/decide/lead_outcome.h"
#include "plimsoll/fit/decide/recommend.h"
#include "plimsoll/fit/decide/valley.h"

namespace plimsoll::fit {

// The recommendation against one rival's shape, at the highest rung that both ran.
struct Versus {
    std::string rival;      // "nanochat"
    std::string candidate;  // id of its shape
    int rung = 0;
    double difference = 0;  // by how much the recommendation is better; negative: it lost
    double half_width = 0;  // 95 %, all rivals at once; not finite where one seed says nothing
    report::Outcome verdict = report::Outcome::inside_noise;

    bool operator==(const Versus&) const = default;
};

// What the race shows.
struct Decision {
    std::string winner;  // id of what is recommended
    std::string best;    // id of the best mean; differs from the winner in a tie that a cheaper one takes
    bool tie = false;
    std::vector<std::string> tied;  // with the winner, when there are two or more; best mean first
    int rung = 0;                   // that decided
    std::size_t seeds = 0;
    double value = 0, half_width = 0;              // of the winner, over seeds
    double margin = 0, margin_half_width = 0;      // to the best of the others; all pairs of the rung at once
    Tip tip = Tip::value;                          // what tips the choice of the winner
    double expected = 0;                           // value of the winner by its runs and the curve
    double given_up = 0, given_up_half_width = 0;  // of that to the best that is expected; 95 %
    std::string certainty;                         // how sure, and by what
    std::string headline;                          // "Not enough evidence: ..."; empty when it is enough
    std::string reservation;                       // fewer or smaller networks than proposed; may be empty
    std::vector<Shortfall> shortfalls;
    std::string sentence;
    Valley valley;  // of the winner's family and input, or of those that depths were spread on
    std::vector<NetworkCost> costs;  // of every network of the rung, by rising seconds per unit
    std::vector<Versus> rivals;
    report::Outcome theory = report::Outcome::cannot_tell;
    std::string theory_verdict;  // begins with that verdict
    bool depth_matters = true;   // false: no difference over depths beyond the noise
    std::string depth_sentence;  // may be empty
    Tenfold tenfold;
    std::string change_first;
    std::vector<std::string> notes;

    [[nodiscard]] bool enough() const { return shortfalls.empty(); }
    bool operator==(const Decision&) const = default;
};

// The same for programs.
Json to_json(const Decision& decision);

}  // namespace plimsoll::fit

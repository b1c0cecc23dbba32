#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/fit/decide/extrapolate.h"

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

// What the race shows.
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

// The same for programs.
Json to_json(const Decision& decision);

}  // namespace plimsoll::fit

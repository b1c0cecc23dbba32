#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/fit/decide/valley.h"
#include "plimsoll/fit/race/race.h"
#include "plimsoll/fit/request.h"

namespace plimsoll::fit {

// What a race may lack to carry its answer, in the order in which it is said.
enum class Shortage {
    nothing_learned,  // no network beats the best constant answer
    one_network,      // nothing to compare with
    one_seed,         // the noise is not known
    few_depths,       // fewer than three depths of one family on one input
    few_steps,        // too short to compare depths
    under_one_pass,   // labelled data that was not seen once
    gap,              // around the best depth others were not tried
    at_edge,          // the best depth is the last that raced
    rate_at_end,      // the winner's learning rate is the last that was tried
    noise_wide,       // nothing below 2 % can be told
};
std::string_view name_of(Shortage shortage);
constexpr std::array<Shortage, 10> all_values(Shortage) {
    return {Shortage::nothing_learned, Shortage::one_network,    Shortage::one_seed, Shortage::few_depths,
            Shortage::few_steps,       Shortage::under_one_pass, Shortage::gap,      Shortage::at_edge,
            Shortage::rate_at_end,     Shortage::noise_wide};
}

// Something that is lacking.
struct Shortfall {
    Shortage shortage = Shortage::one_network;
    std::string sentence;    // what is so, without a full stop
    std::string settled_by;  // what would settle it
    double seconds = 0;      // that this takes on this device; 0: not known
    bool operator==(const Shortfall&) const = default;
};

// What the rung that decided is judged by.
struct EvidenceInput {
    const FitRequest& request;
    const DataLook& look;
    const Proposal& proposal;
    const Race& race;
    const RungTable& table;
    const RungNoise& noise;
    const Valley& valley;
    const Candidate& winner;
};

// Everything that is lacking; empty when the evidence is enough.
std::vector<Shortfall> shortfalls_of(const EvidenceInput& input);

// Whether a value is better than the best constant answer by more than 1 % of its bits (2 points).
bool beats_constant(const DataLook& look, double value);

// "Not enough evidence: ...; ...": one line of what is lacking, by its names. Empty when nothing is.
std::string evidence_headline(const std::vector<Shortfall>& shortfalls);

// "6 more seeds of each network would settle it: about 4 min here."
std::string settling_sentence(const Shortfall& shortfall);

}  // namespace plimsoll::fit

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/arch/spec.h"
#include "plimsoll/rank/constructions/random_network.h"
#include "plimsoll/theory/ids/applicable.h"

namespace plimsoll::rank {

// How a measured rank and a bound agree.
enum class Agreement {
    attained,   // equal
    holds,      // on the right side of it
    violated,   // the measurement refutes it
    undecided,  // a lower bound above a rank that is only "at least"
};
std::string to_text(Agreement agreement);

// A bound beside the measured rank.
struct RankBound {
    std::string id;
    theory::Side side = theory::Side::upper;
    std::optional<theory::Integer> value;  // where it is a whole number that was written out
    double log3 = 0;                       // its end away from the rank
    std::string standing;                  // "proved", "repaired", "refuted", ...
    bool sound = true;                     // may be relied on at these numbers
    std::string note;
    Agreement agreement = Agreement::holds;
};

// What decides the bounds.
struct BoundQuestion {
    const arch::ArchSpec& spec;
    const RandomNetwork& network;
    const Partition& partition;
    OutputIndex output;
    Inputs inputs = Inputs::numbers;
    std::size_t rank = 0;
    bool exact = false;
};

// Every bound that speaks about this spec and this split, tightest first, upper bounds before lower ones: the
// exact counts of both sides, and for balanced splits the table of theory::bounds_for.
std::vector<RankBound> bounds_beside(const BoundQuestion& question);

}  // namespace plimsoll::rank

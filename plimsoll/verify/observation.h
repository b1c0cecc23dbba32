#pragma once

#include <optional>
#include <string>

#include "plimsoll/theory/numbers/integer.h"
#include "plimsoll/verify/measurements.h"

namespace plimsoll::verify {

// What one case says about a claim.
enum class Outcome { holds, fails, undecided };
std::string_view to_text(Outcome outcome);

// What the claim says of a case, what was found, and whether the two agree.
struct Observation {
    std::string said;   // "at most 81"
    std::string found;  // "18", "at least 4000"
    Outcome outcome = Outcome::undecided;
    // log10 of both numbers where they are ranks and bounds of ranks; nothing for other statements.
    std::optional<double> said_log10{}, found_log10{};
};

// A measured rank as an exact number.
theory::Integer as_integer(std::size_t rank);

// The claim bounds the rank from above, from below, or gives it.
Observation at_most(const theory::Integer& bound, const MeasuredRank& rank);
Observation at_least(const theory::Integer& bound, const MeasuredRank& rank);
Observation equal_to(const theory::Integer& value, const MeasuredRank& rank);

// The claim is a statement that was checked exactly.
Observation checked(std::string said, std::string found, bool holds);

}  // namespace plimsoll::verify

#include "plimsoll/verify/observation.h"

#include <algorithm>
#include <utility>

#include "plimsoll/base/format.h"
#include "plimsoll/theory/numbers/ball.h"

namespace plimsoll::verify {
namespace {

std::string found_text(const MeasuredRank& rank) {
    return fmt::format("{}{}", rank.exact ? "" : "at least ", rank.rank);
}

// A rank that may be larger than what was seen decides only one way.
Outcome decide(bool true_now, bool can_change) {
    if (can_change) return Outcome::undecided;
    return true_now ? Outcome::holds : Outcome::fails;
}

// log10, zero and less taken for one.
double log10_of(const theory::Integer& value) {
    constexpr double digits_per_trit = 0.4771212547196624;
    return theory::log3(theory::Ball(std::max(value, theory::Integer(1)), 64)).middle() * digits_per_trit;
}

Observation compared(const char* words, const theory::Integer& bound, const MeasuredRank& rank,
                     Outcome outcome) {
    return {words + bound.text(), found_text(rank), outcome, log10_of(bound),
            log10_of(as_integer(rank.rank))};
}

}  // namespace

theory::Integer as_integer(std::size_t rank) { return theory::Integer(static_cast<std::int64_t>(rank)); }

std::string_view to_text(Outcome outcome) {
    switch (outcome) {
        case Outcome::holds:
            return "holds";
        case Outcome::fails:
            return "fails";
        case Outcome::undecided:
            break;
    }
    return "undecided";
}

Observation at_most(const theory::Integer& bound, const MeasuredRank& rank) {
    const bool now = as_integer(rank.rank) <= bound;
    return compared("at most ", bound, rank, decide(now, now && !rank.exact));
}

Observation at_least(const theory::Integer& bound, const MeasuredRank& rank) {
    const bool now = as_integer(rank.rank) >= bound;
    return compared("at least ", bound, rank, decide(now, !now && !rank.exact));
}

Observation equal_to(const theory::Integer& value, const MeasuredRank& rank) {
    const auto found = as_integer(rank.rank);
    return compared("", value, rank, decide(found == value, found <= value && !rank.exact));
}

Observation checked(std::string said, std::string found, bool holds) {
    return {std::move(said), std::move(found), holds ? Outcome::holds : Outcome::fails};
}

}  // namespace plimsoll::verify

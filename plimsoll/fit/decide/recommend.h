#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "plimsoll/fit/decide/depths.h"

namespace plimsoll::fit {

// Networks whose FLOPs per unit differ by less than this share cost the same.
inline constexpr double same_cost = 0.05;

// What tips the choice.
enum class Tip {
    value,     // the better value that is expected
    cheaper,   // as good within a quarter of 1 % and the noise, and cheaper to train
    shallower  // the same, at the same cost, with half the layers one after another: faster to run
};
std::string_view name_of(Tip tip);
constexpr std::array<Tip, 3> all_values(Tip) { return {Tip::value, Tip::cheaper, Tip::shallower}; }

// The network to use.
struct Choice {
    std::size_t row = 0, best = 0;  // of the table: what is taken, and the best value that is expected
    Tip tip = Tip::value;
    double expected = 0;                  // the value that is expected of it, in the unit of the values
    double given_up = 0, half_width = 0;  // to the best; 95 %, of one comparison
};

// What is expected of each network of a rung: for depths on the curve their own mean drawn towards the curve,
// for others their mean. Of those that are expected to cost at most a quarter of 1 % more than the best, and
// no more than the noise explains, the one with the fewest FLOPs per unit; the best of those that cost about
// that, and of equally good ones the shallowest. Where the noise is not known, the best mean.
Choice choose_network(const RungTable& table, const RungNoise& noise, const DataLook& look,
                      const Proposal& proposal);

}  // namespace plimsoll::fit

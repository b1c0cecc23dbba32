#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/fit/decide/depths.h"

namespace plimsoll::fit {

// Whether a race shows a valley, and if not why.
enum class ValleyState {
    known,
    few_depths,     // fewer than four of one family on one input
    noise_unknown,  // one seed, and examples say nothing
    noise_wide,     // wider than the 1 % that is asked
    at_shallow_end,
    at_deep_end,  // the best depth is the last that raced: the bottom may lie beyond
};
std::string_view name_of(ValleyState state);
constexpr std::array<ValleyState, 6> all_values(ValleyState) {
    return {ValleyState::known,      ValleyState::few_depths,     ValleyState::noise_unknown,
            ValleyState::noise_wide, ValleyState::at_shallow_end, ValleyState::at_deep_end};
}

// A place of the curve: its value and the 95 % band, in the unit of the values.
struct ValleyPoint {
    double depth = 0, value = 0, low = 0, high = 0;
    bool operator==(const ValleyPoint&) const = default;
};

// The depths of one family on one input at one rung: the best one, and those that cost at most 1 % more (of
// accuracy: one point). Depths are real numbers. Without a curve (few depths, unknown noise) all are 0.
struct Valley {
    ValleyState state = ValleyState::few_depths;
    std::string family, input;
    int rung = 0;
    double best = 0, best_low = 0, best_high = 0;    // with the 95 % interval
    double low = 0, low_least = 0, low_most = 0;     // the shallow end of the range, with its interval
    double high = 0, high_least = 0, high_most = 0;  // the deep end
    bool open_below = false, open_above = false;     // the range reaches an end of the field
    bool joined = false;                             // straight between depths: no smooth curve fits
    double allowed = 0;                              // what the range may cost, in the unit of the values
    std::vector<ValleyPoint> curve;                  // from the shallowest to the deepest
    std::string sentence;

    [[nodiscard]] bool known() const { return state == ValleyState::known; }
    [[nodiscard]] bool drawn() const { return !curve.empty(); }
    // The whole depths inside the range.
    [[nodiscard]] std::int64_t least_depth() const;
    [[nodiscard]] std::int64_t most_depth() const;
    bool operator==(const Valley&) const = default;
};

// The valley of the depths of `like`'s family and input on a rung.
Valley valley_of(const RungTable& table, const RungNoise& noise, const DataLook& look,
                 const Proposal& proposal, const Candidate& like);

// "2 to 8 layers"; "8 or more layers" where the range has no end in the field.
std::string range_words(const Valley& valley);

}  // namespace plimsoll::fit

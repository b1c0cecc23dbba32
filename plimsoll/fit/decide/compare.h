#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/fit/look/data_look.h"
#include "plimsoll/fit/race/race.h"

// Comparisons of candidates over paired seeds; docs/FIT_METHOD.md, "Deciding", has the formulas.
namespace plimsoll::fit {

// Fewer depths than these tell nothing about depth.
constexpr std::size_t depths_needed = 3;

// The finished runs of one rung: every candidate with every seed.
struct RungTable {
    int rung = 0;
    std::vector<std::string> candidates;      // sorted
    std::vector<std::int64_t> seeds;          // sorted
    std::vector<std::vector<double>> values;  // [candidate][seed], as measured
    std::vector<double> half_widths;          // mean interval of a candidate's values over held-out examples
    bool lower_is_better = true;

    [[nodiscard]] std::optional<std::size_t> row(const std::string& candidate) const;
    [[nodiscard]] double mean(std::size_t row) const;
    // By how much row a is better than row b; negative when it is worse.
    [[nodiscard]] double lead(std::size_t a, std::size_t b) const;
    // The row of the best mean; of equal ones the first.
    [[nodiscard]] std::size_t best() const;
};

// The table of a rung. A candidate with a failed run there is left out; where several rates ran, the one with
// the most seeds, then the best mean, counts. Seeds that not all have are left out; candidates that share no
// seed with the others too. Null when fewer than one candidate is left.
std::optional<RungTable> rung_table(const Race& race, int rung, Goal goal);

// The finished runs that count of each candidate on a rung, by seed: those of the rate that rung_table takes.
std::map<std::string, std::vector<const RaceEntry*>> counted_runs(const Race& race, int rung, Goal goal);

// The rungs that have entries, the highest first.
std::vector<int> rungs_downwards(const Race& race);

// Pairs among n candidates.
inline std::size_t pairs_of(std::size_t n) { return n * (n - 1) / 2; }

}  // namespace plimsoll::fit

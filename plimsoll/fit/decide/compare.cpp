#include "plimsoll/fit/decide/compare.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "plimsoll/base/numbers.h"

namespace plimsoll::fit {
namespace {

double mean_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / real(values.size());
}

// The runs of one candidate on a rung at one learning rate.
using BySeed = std::map<std::int64_t, const RaceEntry*>;

double mean_value(const BySeed& runs) {
    double sum = 0;
    for (const auto& [seed, entry] : runs) sum += entry->value;
    return sum / real(runs.size());
}

// The rate that counts: the most seeds, then the best mean, then the smaller rate.
BySeed chosen_rate(const std::map<double, BySeed>& rates, bool lower) {
    const BySeed* best = nullptr;
    for (const auto& [rate, runs] : rates) {
        const bool more = best == nullptr || runs.size() > best->size();
        const bool better =
            best != nullptr && runs.size() == best->size() &&
            (lower ? mean_value(runs) < mean_value(*best) : mean_value(runs) > mean_value(*best));
        if (more || better) best = &runs;
    }
    return *best;
}

std::map<std::string, BySeed> runs_of_rung(const Race& race, int rung, bool lower) {
    std::map<std::string, std::map<double, BySeed>> all;
    std::map<std::string, std::set<double>> failed;
    for (const auto& entry : race.entries) {
        if (entry.rung != rung) continue;
        if (entry.has_value()) all[entry.candidate][entry.rate][entry.seed] = &entry;
        if (!entry.has_value() && entry.state != EntryState::running)
            failed[entry.candidate].insert(entry.rate);
    }
    std::map<std::string, BySeed> runs;
    for (auto& [candidate, rates] : all) {
        for (const double rate : failed[candidate]) rates.erase(rate);
        if (!rates.empty()) runs[candidate] = chosen_rate(rates, lower);
    }
    return runs;
}

std::set<std::int64_t> common_seeds(const std::map<std::string, BySeed>& runs) {
    std::map<std::int64_t, std::size_t> held;
    for (const auto& [candidate, by_seed] : runs)
        for (const auto& [seed, entry] : by_seed) ++held[seed];
    std::set<std::int64_t> common;
    std::size_t most = 0;
    for (const auto& [seed, count] : held) most = std::max(most, count);
    for (const auto& [seed, count] : held)
        if (count == runs.size()) common.insert(seed);
    if (!common.empty()) return common;
    for (const auto& [seed, count] : held)
        if (count == most) return {seed};
    return common;
}

bool has_all(const BySeed& runs, const std::set<std::int64_t>& seeds) {
    return std::all_of(seeds.begin(), seeds.end(), [&](auto seed) { return runs.contains(seed); });
}

}  // namespace

std::optional<std::size_t> RungTable::row(const std::string& candidate) const {
    const auto found = std::find(candidates.begin(), candidates.end(), candidate);
    if (found == candidates.end()) return std::nullopt;
    return static_cast<std::size_t>(found - candidates.begin());
}

double RungTable::mean(std::size_t row) const { return mean_of(values.at(row)); }

double RungTable::lead(std::size_t a, std::size_t b) const {
    return lower_is_better ? mean(b) - mean(a) : mean(a) - mean(b);
}

std::size_t RungTable::best() const {
    std::size_t best = 0;
    for (std::size_t row = 1; row < candidates.size(); ++row)
        if (lead(row, best) > 0) best = row;
    return best;
}

std::optional<RungTable> rung_table(const Race& race, int rung, Goal goal) {
    const bool lower = goal == Goal::bits_per_byte;
    const auto runs = runs_of_rung(race, rung, lower);
    const auto seeds = common_seeds(runs);
    RungTable table;
    table.rung = rung;
    table.lower_is_better = lower;
    table.seeds.assign(seeds.begin(), seeds.end());
    for (const auto& [candidate, by_seed] : runs) {
        if (!has_all(by_seed, seeds)) continue;
        table.candidates.push_back(candidate);
        table.values.emplace_back();
        std::vector<double> widths;
        for (const auto seed : seeds) {
            table.values.back().push_back(by_seed.at(seed)->value);
            widths.push_back(by_seed.at(seed)->value_half_width);
        }
        table.half_widths.push_back(mean_of(widths));
    }
    if (table.candidates.empty()) return std::nullopt;
    return table;
}

std::map<std::string, std::vector<const RaceEntry*>> counted_runs(const Race& race, int rung, Goal goal) {
    std::map<std::string, std::vector<const RaceEntry*>> counted;
    for (const auto& [candidate, by_seed] : runs_of_rung(race, rung, goal == Goal::bits_per_byte))
        for (const auto& [seed, entry] : by_seed) counted[candidate].push_back(entry);
    return counted;
}

std::vector<int> rungs_downwards(const Race& race) {
    std::set<int, std::greater<>> rungs;
    for (const auto& entry : race.entries) rungs.insert(entry.rung);
    return {rungs.begin(), rungs.end()};
}

}  // namespace plimsoll::fit

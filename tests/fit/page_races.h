#pragma once

#include <algorithm>
#include <cmath>

#include "plimsoll/fit/decide/decide.h"
#include "plimsoll/fit/handed_over.h"
#include "tests/fit/races.h"

// Whole fits that were never run, for pages.
namespace plimsoll::fit {

struct PlayedFit {
    FitRequest request;
    DataLook look;
    Proposal proposal;
    Race race;
    Decision decision;
    HandOverOptions options;
};

inline Dependence falling_dependence(const std::string& of) {
    Dependence dependence;
    dependence.of = of;
    for (double distance = 1; distance <= 1024; distance *= 2)
        dependence.by_distance.push_back({distance, 1.4 * std::pow(distance, -0.9) - 0.006, 0.004});
    dependence.window = 16;
    dependence.splits = {{"left/right", 0.89, 0.02}, {"interleaved", 2.69, 0.03}};
    dependence.reach = 128;
    dependence.sentences = {"Dependence is above noise up to 128 " + of + " apart."};
    return dependence;
}

// Lower is better the nearer depth is to 1.3 lines; a vocabulary of 500 is the best way to cut.
inline double bowl(const Candidate& candidate) {
    const double off = std::log2(candidate.depth_over_line() / 1.3);
    return 0.06 * off * off + (candidate.input.name == "bytes" ? 0.2 : 0) +
           (candidate.family == "mixer" ? 0.05 : 0);
}

// How a run comes down to its last value.
inline std::vector<std::pair<double, double>> descent(double units, double value, bool accuracy) {
    std::vector<std::pair<double, double>> curve;
    for (int i = 1; i <= 8; ++i) {
        const double left = 0.5 * (8.0 / i - 1) / 7;
        curve.emplace_back(units * i / 8, accuracy ? value * (1 - left) : value + left);
    }
    return curve;
}

// Gives the runs of a rung that have none yet their costs and courses.
inline void add_costs(PlayedFit& fit, int rung, std::size_t from) {
    for (std::size_t i = from; i < fit.race.entries.size(); ++i) {
        RaceEntry& entry = fit.race.entries[i];
        const Candidate& candidate = *find_candidate(fit.proposal, entry.candidate);
        const bool accuracy = fit.look.goal == Goal::accuracy;
        entry.run = entry.run + "-" + std::to_string(rung);
        entry.flops = 2e9 * std::pow(3, rung);
        entry.units_seen = entry.flops / candidate.flops_per_unit;
        entry.value += (accuracy ? -0.12 : 0.5) / std::pow(2, rung);
        entry.seconds = 4 * std::pow(3, rung);
        entry.curve = descent(entry.units_seen, entry.value, accuracy);
        fit.race.flops += entry.flops;
        fit.race.seconds += entry.seconds;
    }
}

inline void play_rungs(PlayedFit& fit, int rungs) {
    const bool accuracy = fit.look.goal == Goal::accuracy;
    PlayedRace played;
    played.truth = [accuracy](const Candidate& candidate) {
        return accuracy ? 0.9 - 0.3 * bowl(candidate) : 1.9 + bowl(candidate);
    };
    played.noise = accuracy ? 0.003 : 0.006;
    played.seed_effect = accuracy ? 0.004 : 0.01;
    std::vector<std::string> who = ids_of(fit.proposal);
    for (int rung = 0; rung < rungs; ++rung) {
        const std::size_t from = fit.race.entries.size();
        play_rung(fit.race, fit.proposal, who, rung, played);
        add_costs(fit, rung, from);
        const auto better = [&](const std::string& a, const std::string& b) {
            return bowl(*find_candidate(fit.proposal, a)) < bowl(*find_candidate(fit.proposal, b));
        };
        std::stable_sort(who.begin(), who.end(), better);
        who.resize((who.size() + 1) / 2);
    }
    fit.race.complete = true;
}

inline PlayedFit played_fit(DataLook look, std::int64_t budget, int rungs = 3) {
    PlayedFit fit;
    fit.look = std::move(look);
    fit.look.dependence =
        falling_dependence(fit.look.modality == Modality::images ? "pixels" : fit.look.unit);
    fit.request.data = fit.look.data;
    fit.request.parameters = budget;
    fit.request.seconds = 600;
    fit.request.out = "out";
    fit.proposal = propose(fit.request, fit.look).value();
    play_rungs(fit, rungs);
    fit.decision = decide(fit.request, fit.look, fit.proposal, fit.race).value();
    fit.options.command = "bin/plimsoll fit " + fit.look.data + " --time 10m";
    return fit;
}

}  // namespace plimsoll::fit

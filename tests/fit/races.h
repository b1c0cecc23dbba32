#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "plimsoll/base/random.h"
#include "plimsoll/fit/propose/propose.h"
#include "plimsoll/fit/race/race.h"
#include "tests/fit/looks.h"

// Races whose truth is known because we made them.
namespace plimsoll::fit {

struct PlayedRace {
    std::function<double(const Candidate&)> truth;  // the mean value of a candidate
    double noise = 0.01, seed_effect = 0.05;        // deviations: of a run, and of a seed for all
    std::int64_t seeds = 3;
    std::uint64_t stream = 1;
};

inline double normal(RandomStream& stream) {
    const double u = 1 - stream.uniform(), v = stream.uniform();
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

inline void play_rung(Race& race, const Proposal& proposal, const std::vector<std::string>& who, int rung,
                      const PlayedRace& played) {
    RandomStream stream(played.stream, "rung" + std::to_string(rung));
    std::map<std::int64_t, double> effects;
    for (std::int64_t seed = 1; seed <= played.seeds; ++seed)
        effects[seed] = played.seed_effect * normal(stream);
    for (const auto& id : who) {
        for (const auto& [seed, effect] : effects) {
            RaceEntry entry;
            entry.candidate = id;
            entry.run = id + "-" + std::to_string(seed);
            entry.rung = rung;
            entry.rate = 1e-3;
            entry.seed = seed;
            entry.steps = 2000;  // as many as are wanted on any device
            entry.value =
                played.truth(*find_candidate(proposal, id)) + effect + played.noise * normal(stream);
            entry.state = EntryState::done;
            race.entries.push_back(entry);
        }
    }
    race.survivors.push_back(who);
}

inline std::vector<std::string> ids_of(const Proposal& proposal) {
    std::vector<std::string> ids;
    for (const auto& candidate : proposal.candidates) ids.push_back(candidate.id);
    return ids;
}

// Every candidate on one rung.
inline Race play(const Proposal& proposal, const PlayedRace& played) {
    Race race;
    play_rung(race, proposal, ids_of(proposal), 0, played);
    race.complete = true;
    return race;
}

inline Proposal proposal_for(const DataLook& look, std::int64_t budget) {
    FitRequest request;
    request.parameters = budget;
    return std::move(propose(request, look)).value();
}

}  // namespace plimsoll::fit

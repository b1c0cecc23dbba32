#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"
#include "plimsoll/lab/sweep/plan.h"

// A race's runs as jobs of the lab, and what their files say they came to.
namespace plimsoll::fit {

// One run that a race asks for; its job is in the plan at the same place.
struct RaceRun {
    const Candidate* candidate = nullptr;
    int rung = 0;
    double rate = 0;
    std::int64_t seed = 0;
    lab::Job job;
};

// The job of a config.
Result<lab::Job> job_of(run::RunConfig config);

// The jobs of the runs, those with one id once.
lab::Plan plan_of(const std::vector<RaceRun>& runs);

// What a run came to; nothing while it is neither done nor failed.
Result<std::optional<RaceEntry>> entry_of(const RaceRun& run, const DataLook& look,
                                          const std::filesystem::path& runs);

// Adds an entry unless the race has it.
void add_entry(Race& race, RaceEntry entry);

// The best finished value of each candidate on a rung, best first.
struct RungValue {
    std::string candidate;
    double value = 0, rate = 0;
};
std::vector<RungValue> rung_values(const Race& race, int rung, Goal goal);

// The mean of each candidate's finished runs at each rate of a rung, best first; only those with the most
// seeds of the rung.
std::vector<RungValue> mean_rung_values(const Race& race, int rung, Goal goal);

inline bool lower_is_better(Goal goal) { return goal == Goal::bits_per_byte; }

}  // namespace plimsoll::fit

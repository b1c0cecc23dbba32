#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

namespace plimsoll::fit {

// How a run of a race ended; only what is done has a value.
enum class EntryState { done, failed, running };
constexpr std::string_view name_of(EntryState state) {
    return state == EntryState::done ? "done" : state == EntryState::failed ? "failed" : "running";
}
constexpr std::array<EntryState, 3> all_values(EntryState) {
    return {EntryState::done, EntryState::failed, EntryState::running};
}

// One run of a race.
struct RaceEntry {
    std::string candidate;  // id
    std::string run;        // id of the run's folder
    int rung = 0;           // 0 is the first and shortest
    double rate = 0;        // learning rate
    std::int64_t seed = 0, steps = 0;
    double units_seen = 0;  // bytes, images, pairs or sequences trained on
    double flops = 0;
    double value = 0;             // bits per byte or accuracy on the held-out part
    double value_half_width = 0;  // of its interval over held-out examples; 0: not known
    double seconds = 0;           // of its device; those of a stack are shared by its runs
    EntryState state = EntryState::running;
    std::vector<std::pair<double, double>> curve;  // units seen, value

    // It is done and has a value that can be compared.
    [[nodiscard]] bool has_value() const { return state == EntryState::done && std::isfinite(value); }
    // It ended without a value.
    [[nodiscard]] bool has_failed() const { return state == EntryState::failed; }
    bool operator==(const RaceEntry&) const = default;
};

// How fast a candidate trains here.
struct Pace {
    std::string candidate;
    double seconds_per_flop = 0;
    bool operator==(const Pace&) const = default;
};

// What was fixed before the runs, and rung by rung from what the runs before it took.
struct RacePlan {
    std::int64_t batch = 0;                            // examples of a step, for all
    std::int64_t rungs = 0;                            // with those before the table
    std::int64_t last_seeds = 0;                       // of each network on the last rung
    std::optional<std::int64_t> first_seeds;           // of these, before time that was left bought more
    std::optional<std::int64_t> wanted_steps;          // of a judged run; absent in races of 0.1.0
    std::optional<std::int64_t> input_seeds;           // of each trial of an input; absent until it begins
    std::optional<bool> settled;                       // the inputs are chosen: steps/settled.json counts
    std::vector<double> flops;                         // of one run, per rung that was begun
    std::vector<std::vector<std::string>> candidates;  // per rung that was begun
    double start_seconds = 0;                          // of a run before its first step
    std::vector<Pace> pace;                            // empty with a budget of FLOPs
    bool operator==(const RacePlan&) const = default;
};

// The rungs of a race since 0.2: one network of each family finds the learning rate; where the data can be
// cut in several ways one network on each says which is best; then all race to the end.
constexpr int rate_rung = 0, input_rung = 1;
inline bool has_input_rung(const RacePlan& plan) { return plan.wanted_steps && plan.rungs > 2; }
inline int table_rung_of(const RacePlan& plan) { return static_cast<int>(plan.rungs) - 1; }

struct Race {
    RacePlan plan;
    std::vector<RaceEntry> entries;
    std::vector<std::vector<std::string>> survivors;  // per finished rung: who goes on, best first
    double seconds = 0, flops = 0;
    bool complete = false;
    std::vector<std::string> notes;

    bool operator==(const Race&) const = default;
};

Json to_json(const Race& race);
Result<Race> race_from_json(const Json& json);

}  // namespace plimsoll::fit

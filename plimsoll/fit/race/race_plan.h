#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"
#include "plimsoll/fit/race/race_budget.h"
#include "plimsoll/fit/request.h"
#include "plimsoll/lab/jobs/runner.h"

namespace plimsoll::fit {

// What a race is going to do, told before its first run.
struct RaceForecast {
    std::vector<std::string> table;  // who races to the end, if theory's inputs are chosen
    std::int64_t seeds = 0;
    double flops = 0;              // of each of their runs
    double seconds = 0;            // of the whole race, the search included; 0 with a budget of FLOPs
    std::int64_t input_seeds = 0;  // of each trial of an input; 0: there are none
};

// Says who runs on each rung of a race and for how long, from what is left of the budget and, with a budget
// of time, how fast everybody trains.
class RacePlanner {
  public:
    // `seconds_left` is asked with a budget of time only; all arguments outlive the planner.
    RacePlanner(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                const lab::RunnerOptions& runner, std::function<double()> seconds_left);

    // A pace to go by instead of a measurement, once a quarter of the time is spent.
    void assume(std::vector<Pace> pace, double start_seconds);

    // The batch, the search for the rates and the trials of the inputs, after a measurement of the pace when
    // the budget is time. An error when the budget is too small for any race.
    Result<RaceForecast> begin(Race& race) const;

    // How many seeds the trials of the inputs have, by what the search left; 0 when they would cost too much
    // of it.
    [[nodiscard]] std::int64_t seeds_for_inputs(const Race& race) const;

    // The table: who races, with how many seeds and for how many FLOPs, from what the rungs before left. Its
    // batch is that of the search. The proposal is settled.
    void add_table(Race& race) const;

    // The runs of the table that begin() or add_table() planned, and those that check the rate, as stages.
    [[nodiscard]] std::vector<Stage> table_stages(const Race& race, const std::vector<std::string>& who,
                                                  std::int64_t seeds) const;

    // What is left of the budget now.
    [[nodiscard]] Purse purse(const Race& race) const;

  private:
    struct Sized {
        TableSize size;
        std::vector<std::string> who;
        double flops = 0;  // of a run
    };
    // Too much of the time is spent to measure once more.
    [[nodiscard]] bool late() const;
    [[nodiscard]] Result<RaceForecast> at_pace_of(Race& race, std::int64_t batch) const;
    [[nodiscard]] Result<RaceForecast> plan_search(Race& race) const;
    [[nodiscard]] std::vector<Stage> all_stages(const Race& race, const Sized& table) const;
    [[nodiscard]] Sized best_table(const Race& race, bool with_search) const;
    [[nodiscard]] Sized sized(const Race& race, bool with_search, TableSize size) const;
    // Of the families of `who`.
    [[nodiscard]] std::vector<std::string> scouts_of(const std::vector<std::string>& who) const;
    // Whether the search that was planned finds a rate for it.
    [[nodiscard]] bool has_rate(const Race& race, const std::string& candidate) const;
    [[nodiscard]] double pace(const Race& race, const std::string& candidate) const;
    [[nodiscard]] Stage search_stage(const Race& race, const std::vector<std::string>& who) const;
    // Of the trials of the families of `who`; without the runs that the search has made.
    [[nodiscard]] Stage input_stage(const Race& race, const std::vector<std::string>& who,
                                    std::int64_t seeds) const;
    [[nodiscard]] std::int64_t batch_of(const Sized& table) const;
    // The smallest batch that the table may have.
    [[nodiscard]] std::int64_t least_batch_of(const Race& race, const Sized& table, bool with_search) const;
    [[nodiscard]] Error too_little(const Race& race, const Sized& smallest) const;
    void say_short_trials(Race& race) const;
    void say_who_is_left_out(Race& race, const Sized& table) const;

    const FitRequest& request_;
    const DataLook& look_;
    const Proposal& proposal_;
    const lab::RunnerOptions& runner_;
    std::function<double()> seconds_left_;
    std::vector<Pace> assumed_;
    double assumed_start_ = 0;
    std::vector<std::string> scouts_;  // one network of each family; none when a recipe has the rate
};

}  // namespace plimsoll::fit

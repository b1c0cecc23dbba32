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

// Says who runs on each rung of a race and for how long, from what is left of the budget and, with a budget
// of time, how fast everybody trains.
class RacePlanner {
  public:
    // `seconds_left` is asked with a budget of time only; all arguments outlive the planner.
    RacePlanner(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                const lab::RunnerOptions& runner, std::function<double()> seconds_left);

    // The batch and the first rung, after a measurement of the pace when the budget is time. An error when
    // the budget is too small for any race.
    Status begin(Race& race) const;

    // The next rung, with who is promoted to it; a rung between that would not be much longer than the one
    // before is left out, and the last one follows.
    void add_rung(Race& race, int rung) const;

    // The best of the rung before, and those who stay to the end unless they failed; after the last rung all
    // who came to a value.
    [[nodiscard]] std::vector<std::string> promoted(const Race& race, int rung) const;

  private:
    [[nodiscard]] Purse purse(const Race& race, const std::vector<std::string>& networks) const;
    [[nodiscard]] Status at_pace_of(Race& race, std::int64_t batch) const;
    [[nodiscard]] Status first_rung(Race& race) const;
    [[nodiscard]] Error too_little(const Purse& purse, double least) const;
    [[nodiscard]] std::vector<RungShape> all_rungs(const Race& race) const;
    [[nodiscard]] double share(const Race& race, int rung, const std::vector<std::string>& who) const;
    [[nodiscard]] std::vector<std::string> next(const Race& race, int rung) const;

    const FitRequest& request_;
    const DataLook& look_;
    const Proposal& proposal_;
    const lab::RunnerOptions& runner_;
    std::function<double()> seconds_left_;
    std::vector<std::string> kept_;  // to the end
};

}  // namespace plimsoll::fit

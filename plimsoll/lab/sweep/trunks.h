#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plimsoll/lab/sweep/plan.h"

// Steps that jobs of a plan share (run/trunk.h): a job of their own trains them once.
namespace plimsoll::lab {

struct Trunk {
    Job job;  // `keep` are the steps at which branches leave it; it ends with the last
    std::vector<std::size_t> branches;  // by their places in the plan
};

// The trunks of the jobs for which `wanted` says yes (empty: of all), in the order of their first branches. A
// job has none when it does not ask for one, when its number of steps is not known, and when it decays from
// its first step on.
std::vector<Trunk> trunks_of(const Plan& plan, const std::function<bool(std::size_t)>& wanted = {});

// What a plan has to compute when each trunk is trained once: of each job what it does not share, then the
// trunks.
std::vector<Work> shared_work(const Plan& plan, const std::vector<Trunk>& trunks);

// "trunk of 3 runs: 2,000 steps".
std::string trunk_text(const Trunk& trunk);

}  // namespace plimsoll::lab

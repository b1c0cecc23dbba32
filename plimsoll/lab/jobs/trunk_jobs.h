#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "plimsoll/lab/jobs/sweep_outcome.h"
#include "plimsoll/lab/sweep/plan.h"

// The trunks of a sweep (sweep/trunks.h) as jobs of its runner, behind those of the plan.
namespace plimsoll::lab {

// Jobs that start from a trunk, and the job that trains it.
using TrunkOfJob = std::map<std::size_t, std::size_t>;

// Adds to the plan a job for each trunk that one of the jobs `to_do` starts from. What has a checkpoint of
// its own resumes from there, and needs none.
TrunkOfJob add_trunk_jobs(Plan& plan, const std::vector<std::size_t>& to_do,
                          const std::filesystem::path& runs);

// The share of a job's steps that is left when its trunk is there, 0 to 1.
double share_after_trunk(const Job& branch);

// Takes the outcomes behind the first `jobs` out as those of trunks. One that failed is a note; jobs that
// were not begun because another process holds their trunk count as held by it.
void take_trunks_out(SweepOutcome& outcome, std::size_t jobs, const TrunkOfJob& trunks);

}  // namespace plimsoll::lab

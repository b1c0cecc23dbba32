#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/lab/slurm/slurm_status.h"
#include "plimsoll/lab/slurm/slurm_submit.h"

namespace plimsoll::cli {

// What was submitted, or after a dry run the scripts and nothing else.
void print_submitted(const lab::SubmitReport& report, const std::string& file, bool dry_run);

// The same for programs.
Json submitted_json(const lab::SubmitReport& report);

// How many jobs are where, those that are not done, and the last log lines of those that failed.
void print_status(const lab::Plan& plan, const std::vector<lab::JobStatus>& jobs);

// The same for programs, every job.
Json status_json(const std::vector<lab::JobStatus>& jobs);

}  // namespace plimsoll::cli

#pragma once

#include <filesystem>
#include <vector>

#include "plimsoll/lab/jobs/packing.h"
#include "plimsoll/lab/jobs/status.h"

// Which runs train together, in stacks.jsonl of a sweep's folder: bits depend on the size of a stack and on
// the place in it, so an interrupted stack resumes as it was.
namespace plimsoll::lab {

// Adds stacks that are to be trained, with the number of lanes that they were packed for.
Status note_stacks(const std::filesystem::path& sweep_folder, const Plan& plan,
                   const std::vector<std::vector<std::size_t>>& stacks, std::size_t lanes);

// The stacks of earlier calls, as jobs of the plan, that go on as they were: those with a job that was begun,
// and those of which nothing was when they were packed for as many lanes. All jobs of such a stack that are
// not done were in no other since, and it is still allowed. None when the file is not there; lines that are
// no record are passed over.
std::vector<std::vector<std::size_t>> noted_stacks(const Plan& plan, const std::vector<JobState>& states,
                                                   const std::filesystem::path& sweep_folder,
                                                   const PackingOptions& options);

}  // namespace plimsoll::lab

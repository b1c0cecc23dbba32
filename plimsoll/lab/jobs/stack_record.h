#pragma once

#include <filesystem>
#include <vector>

#include "plimsoll/lab/jobs/packing.h"
#include "plimsoll/lab/jobs/stack_run.h"
#include "plimsoll/lab/jobs/status.h"

// Which runs trained together, in stacks.jsonl of a sweep's folder: bits depend on the size of a stack and on
// the place in it, so a stack that was interrupted goes on as it was.
namespace plimsoll::lab {

// Adds the runs of a stack that is about to begin.
Status note_stack(const std::filesystem::path& sweep_folder, const Plan& plan, const Stack& stack);

// The stacks, as jobs of the plan, that have a job that was begun, and in which all jobs that are not done
// were last; none when the file is not there, or the stack is no longer allowed. Lines that are no record are
// passed over.
std::vector<std::vector<std::size_t>> begun_stacks(const Plan& plan, const std::vector<JobState>& states,
                                                   const std::filesystem::path& sweep_folder,
                                                   const PackingOptions& options);

}  // namespace plimsoll::lab

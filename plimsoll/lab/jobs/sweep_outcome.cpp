#include "plimsoll/lab/jobs/sweep_outcome.h"

#include <algorithm>

namespace plimsoll::lab {

std::size_t SweepOutcome::count(JobResult state) const {
    return static_cast<std::size_t>(std::ranges::count(jobs, state, &JobOutcome::state));
}

SweepProgress SweepOutcome::progress(const JobOutcome* ended) const {
    SweepProgress progress;
    progress.jobs = jobs.size();
    progress.done = count(JobResult::done);
    progress.failed = count(JobResult::failed);
    progress.elsewhere = count(JobResult::elsewhere);
    progress.stopped = count(JobResult::stopped);
    progress.stopping = stopped;
    progress.ended = ended;
    if (ended != nullptr) progress.ended_number = static_cast<std::size_t>(ended - jobs.data()) + 1;
    return progress;
}

}  // namespace plimsoll::lab

#include "plimsoll/lab/jobs/job_end.h"

#include "plimsoll/lab/jobs/job_files.h"
#include "plimsoll/lab/jobs/status.h"

namespace plimsoll::lab {
namespace {

constexpr std::size_t lines_of_failure = 5;

// What the files of the run say; failed for a reason of its own when they do not say done.
JobOutcome outcome_by_files(const JobAtWork& at) {
    const JobState state = job_state(*at.job, at.runs);
    JobOutcome outcome;
    outcome.id = at.job->id;
    outcome.state = state.phase == JobPhase::done ? JobResult::done : JobResult::failed;
    outcome.reason = state.reason;
    outcome.seconds = at.seconds;
    outcome.here = true;
    outcome.lasting = state.phase == JobPhase::failed;
    outcome.loss = state.loss;
    return outcome;
}

JobOutcome failed_for(const JobAtWork& at, JobOutcome outcome, const std::string& reason) {
    if (!outcome.lasting) outcome.reason = reason;
    append_log(at.log, "error: " + reason);
    outcome.last_log_lines = last_lines(at.log, at.log_start, lines_of_failure);
    return outcome;
}

}  // namespace

JobEnd judge(const JobAtWork& at, const Result<RunOutcome>& said) {
    JobOutcome outcome = outcome_by_files(at);
    if (outcome.state == JobResult::done) return outcome;
    if (said.ok() && *said == RunOutcome::stopped) {
        outcome.state = JobResult::stopped;
        return outcome;
    }
    if (said.ok()) return failed_for(at, outcome, "its worker reported it as done, but the run is not");
    const Error& error = said.error();
    if (error.kind == ErrorKind::unsupported && error.where == "run " + at.job->id)
        return Held{error.message};
    if (error.kind == ErrorKind::unsupported && error.where == "device") return error;
    return failed_for(at, outcome, error.text());
}

JobOutcome died(const JobAtWork& at, const std::string& reason, const std::filesystem::path& worker_log,
                std::uint64_t start) {
    JobOutcome outcome = outcome_by_files(at);
    if (outcome.state == JobResult::done) return outcome;
    outcome = failed_for(at, outcome, reason);
    if (auto words = last_lines(worker_log, start, lines_of_failure); !words.empty())
        outcome.last_log_lines = std::move(words);
    return outcome;
}

}  // namespace plimsoll::lab

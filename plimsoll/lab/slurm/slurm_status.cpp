#include "plimsoll/lab/slurm/slurm_status.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "plimsoll/base/format.h"
#include "plimsoll/lab/jobs/job_files.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t shown_lines = 5;

// The last submission that had a job, and the task of it that did.
struct SubmittedTask {
    const Submission* submission = nullptr;
    std::size_t index = 0;
};

bool has_any(const std::set<std::string>& wanted, const TaskRuns& runs) {
    return std::ranges::any_of(runs, [&](const auto& id) { return wanted.contains(id); });
}

// Everything that is known about the submissions of a folder of runs.
struct Known {
    std::vector<Submission> submissions;
    std::map<std::string, SlurmTask> tasks;       // by "123_4"
    std::map<std::string, SubmittedTask> places;  // by run id
};

// A submission whose answer nobody noted is found by its name.
void adopt_by_name(std::vector<Submission>& submissions, const std::vector<SlurmTask>& tasks) {
    for (auto& submission : submissions)
        for (const auto& task : tasks)
            if (submission.slurm_job.empty() && !submission.refused && task.name == submission.name)
                submission.slurm_job = task.array;
}

void remember(std::map<std::string, SlurmTask>& tasks, const std::vector<SlurmTask>& found) {
    for (const auto& task : found) tasks.emplace(task.id(), task);
}

// The Slurm jobs that have a task for a run in `wanted` which the queue does not know.
std::vector<std::string> forgotten_jobs(const Known& known, const std::set<std::string>& wanted) {
    std::vector<std::string> jobs;
    for (const auto& submission : known.submissions) {
        bool forgotten = false;
        for (std::size_t i = 0; i < submission.tasks.size() && !forgotten; ++i)
            forgotten = has_any(wanted, submission.tasks[i]) && !known.tasks.contains(submission.task(i));
        if (forgotten && !submission.slurm_job.empty()) jobs.push_back(submission.slurm_job);
    }
    return jobs;
}

void place_jobs(Known& known) {
    for (const auto& submission : known.submissions)
        for (std::size_t i = 0; i < submission.tasks.size() && !submission.slurm_job.empty(); ++i)
            for (const auto& id : submission.tasks[i]) known.places[id] = {&submission, i};
}

// The accounting is asked only about what is in `wanted` and no longer in the queue.
Result<Known> look(const fs::path& runs, const Slurm& slurm, const std::set<std::string>& wanted) {
    Known known;
    PLIMSOLL_ASSIGN(submissions, read_submissions(runs));
    known.submissions = std::move(submissions);
    if (known.submissions.empty()) return known;
    PLIMSOLL_ASSIGN(queue, slurm.queue());
    adopt_by_name(known.submissions, queue);
    remember(known.tasks, queue);
    remember(known.tasks, slurm.accounted(forgotten_jobs(known, wanted)));
    place_jobs(known);
    return known;
}

SweepPhase phase_by_files(JobPhase phase) {
    constexpr std::array phases{SweepPhase::missing, SweepPhase::stopped, SweepPhase::running,
                                SweepPhase::done, SweepPhase::failed};
    return phases.at(static_cast<std::size_t>(phase));
}

bool was_stopped(const SlurmTask& task) { return task.state == "CANCELLED" || task.state == "PREEMPTED"; }

// How a task that is no longer in the queue left its job, by its own note and Slurm's last word.
void judge_ended(JobStatus& status, const Submission& submission, const SlurmTask* task) {
    const auto notes = task_notes(submission.folder, status.run.id);
    const TaskNote* note = notes.empty() ? nullptr : &notes.back();
    const bool noted = note != nullptr && note->task == status.task;
    if (task != nullptr && was_stopped(*task)) {
        status.phase = SweepPhase::stopped;
        status.reason = task->state;
    } else if (noted && note->event == "failed") {
        status.phase = SweepPhase::failed;
        status.reason = fmt::format("plimsoll-torch ended with {}", note->code);
    } else if (task != nullptr && task->state != "COMPLETED") {
        status.phase = SweepPhase::failed;
        status.reason = task->state;
    } else if (noted && (note->event == "started" || note->event == "waiting") && !submission.cancelled) {
        status.phase = SweepPhase::failed;
        status.reason = "its task was running, but Slurm no longer knows it";
    } else if (status.phase == SweepPhase::running) {  // its files only say that nobody ended it
        status.phase = SweepPhase::stopped;
    }
}

void judge(JobStatus& status, const Known& known) {
    const auto found = known.places.find(status.run.id);
    if (status.phase == SweepPhase::done || found == known.places.end()) return;
    const SubmittedTask& place = found->second;
    status.task = place.submission->task(place.index);
    status.log = place.submission->log(place.index);
    const auto at = known.tasks.find(status.task);
    const SlurmTask* task = at == known.tasks.end() ? nullptr : &at->second;
    if (task != nullptr && task->live()) {
        status.phase = task->running() ? SweepPhase::running : SweepPhase::queued;
        status.reason = task->running() ? "" : task->reason;
    } else {
        judge_ended(status, *place.submission, task);
    }
}

// The last words of a job that failed: of its task, else of the local runner.
void add_last_words(JobStatus& status, const Plan& plan, const fs::path& runs) {
    if (status.phase != SweepPhase::failed) return;
    if (status.log.empty()) status.log = job_files(sweep_folder(plan, runs), status.run.id).log;
    status.last_lines = last_lines(status.log, 0, shown_lines);
    if (status.reason.empty()) status.reason = status.run.reason;
}

}  // namespace

std::string phase_name(SweepPhase phase) {
    constexpr std::array names{"missing", "queued", "running", "stopped", "done", "failed"};
    return names.at(static_cast<std::size_t>(phase));
}

Result<std::vector<JobStatus>> sweep_status(const Plan& plan, const fs::path& runs, const Slurm& slurm) {
    PLIMSOLL_ASSIGN(states, job_states(plan, runs));
    std::set<std::string> unfinished;
    for (const auto& state : states)
        if (state.phase != JobPhase::done) unfinished.insert(state.id);
    PLIMSOLL_ASSIGN(known, look(runs, slurm, unfinished));
    std::vector<JobStatus> all;
    for (auto& state : states) {
        JobStatus status;
        status.phase = phase_by_files(state.phase);
        status.run = std::move(state);
        judge(status, known);
        add_last_words(status, plan, runs);
        all.push_back(std::move(status));
    }
    return all;
}

Result<Cancelled> cancel_sweep(const Plan& plan, const fs::path& file, const fs::path& runs,
                               const Slurm& slurm) {
    PLIMSOLL_ASSIGN(known, look(runs, slurm, {}));  // the living are all in the queue
    std::set<std::string> wanted;
    for (const Job& job : plan.jobs) wanted.insert(job.id);
    Cancelled cancelled;
    std::vector<std::string> ids;
    for (const auto& submission : known.submissions) {
        const bool whole = submission.file == fs::absolute(file).string();
        const std::size_t before = ids.size();
        for (std::size_t i = 0; i < submission.tasks.size(); ++i) {
            const auto task = known.tasks.find(submission.task(i));
            if (task == known.tasks.end() || !task->second.live()) continue;
            if (!whole && !has_any(wanted, submission.tasks[i])) continue;
            ids.push_back(task->first);
            cancelled.running += task->second.running() ? 1 : 0;
        }
        if (ids.size() > before)
            PLIMSOLL_RETURN_IF_ERROR(note_submission(
                submission.folder, Json{{"event", "cancelled"}, {"submission", submission.number}}));
    }
    cancelled.tasks = ids.size();
    PLIMSOLL_RETURN_IF_ERROR(slurm.cancel(ids));
    return cancelled;
}

}  // namespace plimsoll::lab

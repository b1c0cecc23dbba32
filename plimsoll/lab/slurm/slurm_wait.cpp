#include "plimsoll/lab/slurm/slurm_wait.h"

#include <algorithm>
#include <set>
#include <thread>

#include "plimsoll/base/format.h"
#include "plimsoll/lab/jobs/pace.h"

namespace plimsoll::lab {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds between_reports{500}, between_stops{20};
constexpr std::size_t most_files = 32;  // runs whose files are read between two looks at the queue

// A job that is not done, as far as is known.
struct Open {
    std::size_t index;                       // in the plan
    SweepPhase phase = SweepPhase::missing;  // at the last look
    std::string task;                        // of Slurm, while it queues or runs: "123_4"
    std::optional<RunningJob> now;           // while it runs
    std::int64_t first_step = 0;
    Clock::time_point began{};               // seen at work for the first time in this call
    std::optional<Clock::time_point> ended;  // Slurm says so, and the files of the run do not

    [[nodiscard]] double seconds() const {
        if (began == Clock::time_point{}) return 0;
        return std::chrono::duration<double>(Clock::now() - began).count();
    }
    // Of what was left of it when it was first seen.
    [[nodiscard]] double share() const {
        if (!now || !now->steps || *now->steps <= first_step) return 0;
        return static_cast<double>(now->step - first_step) / static_cast<double>(*now->steps - first_step);
    }
};

// What a task that is at work has come to.
void follow(Open& open, const JobState& state) {
    if (!open.now) open.first_step = state.step;
    if (open.began == Clock::time_point{}) open.began = Clock::now();
    open.first_step = std::min(open.first_step, state.step);  // it resumed from a checkpoint
    open.now = RunningJob{open.index + 1, state.id, state.step, state.steps, state.loss, open.seconds(), {}};
}

bool has_task(const JobStatus& status) {
    return !status.task.empty() &&
           (status.phase == SweepPhase::queued || status.phase == SweepPhase::running);
}

// Whether Slurm, the task or the run says how it ended. A task that ended well leaves a run that is done:
// then the files on this machine are late.
bool is_told(const JobStatus& status) {
    return status.phase == SweepPhase::done || status.phase == SweepPhase::failed ||
           (status.phase == SweepPhase::stopped && !status.reason.empty()) || status.task.empty();
}

// The outcome of a job that has no task in the queue; `state` was read after Slurm was asked.
JobOutcome outcome_of(const JobStatus& status, const JobState& state) {
    JobOutcome outcome{state.id, JobResult::failed, status.reason, status.last_lines, 0, false,
                       false,    state.loss};
    outcome.lasting = state.phase == JobPhase::failed;
    if (outcome.lasting) outcome.reason = state.reason;
    if (state.phase == JobPhase::done) {
        outcome.state = JobResult::done;
        outcome.reason.clear();
    } else if (state.phase == JobPhase::running && (status.task.empty() || !is_told(status))) {
        outcome.state = JobResult::elsewhere;
        outcome.reason = state.holder;
    } else if (status.phase == SweepPhase::stopped && !status.reason.empty()) {
        outcome.state = JobResult::stopped;
    } else if (outcome.reason.empty()) {
        outcome.reason =
            fmt::format("task {} is no longer in Slurm's queue, and the run is not done", status.task);
    }
    return outcome;
}

class SlurmWait {
  public:
    SlurmWait(const Plan& plan, const SubmitOptions& submit, const RunnerOptions& runner)
        : plan_(plan),
          submit_(submit),
          runner_(runner),
          looking_(submit.slurm.until([this] { return cause() != StopCause::none; })),
          weights_(job_weights(plan)) {
        submit_.runs = runner.runs;
        submit_.retry_failed = runner.retry_failed;
        submit_.stack = runner.stack;
    }
    SlurmWait(const SlurmWait&) = delete;
    SlurmWait& operator=(const SlurmWait&) = delete;

    Result<SweepOutcome> go() {
        PLIMSOLL_RETURN_IF_ERROR(prepare());
        if (goes_on()) PLIMSOLL_RETURN_IF_ERROR(submit_sweep(plan_, submit_));
        while (goes_on()) {
            PLIMSOLL_RETURN_IF_ERROR(look());
            report();
            std::this_thread::sleep_for(std::min(between_stops, submit_.between_looks));
        }
        return finish();
    }

  private:
    // Why to return now.
    [[nodiscard]] StopCause cause() const {
        const auto says = [](const std::function<bool()>& asked) { return asked && asked(); };
        if (says(runner_.stop_requested) || says(runner_.kill_requested)) return StopCause::asked;
        if (runner_.stop_after && Clock::now() - start_ >= *runner_.stop_after) return StopCause::time;
        return StopCause::none;
    }

    bool goes_on() {
        if (open_.empty()) return false;
        if (outcome_.stopped == StopCause::none) outcome_.stopped = cause();
        return outcome_.stopped == StopCause::none;
    }

    // What the files of the runs say before anything is submitted.
    Status prepare() {
        PLIMSOLL_ASSIGN(states, job_states(plan_, runner_.runs));
        for (std::size_t i = 0; i < states.size(); ++i) {
            const JobState& state = states[i];
            const bool failed = state.phase == JobPhase::failed && !runner_.retry_failed;
            const bool settled = state.phase == JobPhase::done || failed;
            JobOutcome outcome{state.id, JobResult::waiting, state.reason, {}, 0, !settled, failed, {}};
            if (settled) {
                outcome.state = failed ? JobResult::failed : JobResult::done;
                outcome.loss = state.loss;
            }
            outcome_.jobs.push_back(std::move(outcome));
            if (!state.problem.empty())
                outcome_.notes.push_back(fmt::format("run {}: {}", state.id, state.problem));
            if (state.steps && *state.steps > 0 && state.phase != JobPhase::done)
                weights_[i] *= 1 - static_cast<double>(state.step) / static_cast<double>(*state.steps);
            if (state.phase != JobPhase::done) open_.push_back({i});
        }
        rest_ = plan_;
        keep_open_jobs();
        return {};
    }

    // Only these are asked about.
    void keep_open_jobs() {
        rest_.jobs.clear();
        for (const Open& open : open_) rest_.jobs.push_back(plan_.jobs[open.index]);
    }

    // Asks Slurm and the files of the runs, when it is time to.
    Status look() {
        if (Clock::now() < next_look_) return {};
        const auto statuses = sweep_status(rest_, runner_.runs, looking_);
        next_look_ = Clock::now() + submit_.between_looks;
        if (!statuses.ok()) return bear(statuses.error());
        answered_ = Clock::now();
        const std::size_t before = open_.size();
        std::vector<Open> open;
        for (std::size_t i = 0; i < before; ++i)
            if (!take(open_[i], (*statuses)[i])) open.push_back(open_[i]);
        open_ = std::move(open);
        if (open_.size() < before) keep_open_jobs();
        return {};
    }

    // A controller may be away for a while: the array does not need us.
    [[nodiscard]] Status bear(const Error& error) const {
        if (cause() != StopCause::none) return {};
        if (error.kind == ErrorKind::not_found || Clock::now() - answered_ >= submit_.silence) return error;
        return {};
    }

    // Whether the job has ended; its outcome is noted then.
    bool take(Open& open, const JobStatus& status) {
        open.phase = status.phase;
        open.task = has_task(status) ? status.task : "";
        if (has_task(status)) {
            open.ended.reset();
            if (status.phase == SweepPhase::running)
                follow(open, status.run);
            else
                open.now.reset();
            return false;
        }
        const JobState state = job_state(plan_.jobs[open.index], runner_.runs);
        if (!open.ended) open.ended = Clock::now();
        const bool late = Clock::now() - *open.ended < submit_.late_files;
        if (state.phase != JobPhase::done && state.phase != JobPhase::failed && !is_told(status) && late)
            return false;
        settle(open, outcome_of(status, state));
        return true;
    }

    void settle(Open& open, JobOutcome outcome) {
        JobOutcome& before = outcome_.jobs[open.index];
        outcome.here = before.here;
        outcome.seconds = open.seconds();
        before = std::move(outcome);
        open.now.reset();
        if (before.state == JobResult::done && before.seconds > 0)
            pace_.add(weights_[open.index], before.seconds);
        if (before.here) just_ended_.push_back(open.index);
    }

    // Tells of each job that ended, else now and then.
    void report() {
        for (const std::size_t index : std::exchange(just_ended_, {})) tell(&outcome_.jobs[index]);
        if (Clock::now() < next_report_) return;
        next_report_ = Clock::now() + between_reports;
        std::size_t read = 0;
        for (Open& open : open_)
            if (open.now && runner_.tell && read++ < most_files)
                follow(open, job_state(plan_.jobs[open.index], runner_.runs));
        tell(nullptr);
    }

    void tell(const JobOutcome* ended) const {
        if (!runner_.tell) return;
        SweepProgress progress = outcome_.progress(ended);
        if (outcome_.stopped == StopCause::none) estimate(progress);
        const std::size_t known =
            progress.done + progress.failed + progress.elsewhere + progress.stopped + progress.running.size();
        progress.waiting = progress.jobs - std::min(progress.jobs, known);
        runner_.tell(progress);
    }

    // What is at work, and how long the whole takes with as many tasks at a time as now.
    void estimate(SweepProgress& progress) const {
        Pace pace = pace_;
        for (const Open& open : open_) {
            if (!open.now) continue;
            progress.running.push_back(*open.now);
            if (open.share() > 0) pace.add(open.share() * weights_[open.index], open.seconds());
        }
        if (progress.running.empty() || !pace.seconds(1)) return;
        std::vector<double> left;
        for (const Open& open : open_)
            left.push_back(*pace.seconds((1 - open.share()) * weights_[open.index]));
        progress.seconds_left = time_left(left, static_cast<int>(progress.running.size()));
        auto running = progress.running.begin();
        for (std::size_t i = 0; i < open_.size(); ++i)
            if (open_[i].now) (running++)->seconds_left = left[i];
    }

    void note_what_goes_on() {
        std::set<std::string> arrays;
        std::size_t jobs = 0;
        for (const Open& open : open_) {
            if (open.task.empty()) continue;
            arrays.insert(open.task.substr(0, open.task.find('_')));
            ++jobs;
        }
        if (jobs > 0)
            outcome_.notes.push_back(fmt::format("Slurm still runs {} {}; scancel {} ends {}", jobs,
                                                 jobs == 1 ? "job" : "jobs", fmt::join(arrays, " "),
                                                 jobs == 1 ? "it" : "them"));
    }

    SweepOutcome finish() {
        for (const Open& open : open_)
            if (open.phase == SweepPhase::running) outcome_.jobs[open.index].state = JobResult::stopped;
        const bool cancelled = outcome_.count(JobResult::stopped) > 0;
        if (outcome_.stopped == StopCause::none && cancelled) outcome_.stopped = StopCause::asked;
        note_what_goes_on();
        tell(nullptr);
        outcome_.complete = outcome_.count(JobResult::done) == outcome_.jobs.size();
        outcome_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
        return std::move(outcome_);
    }

    const Plan& plan_;
    SubmitOptions submit_;
    const RunnerOptions& runner_;
    Slurm looking_;
    std::vector<double> weights_;  // of what is left of each job
    Clock::time_point start_ = Clock::now(), next_report_ = start_, next_look_ = start_, answered_ = start_;
    SweepOutcome outcome_;
    std::vector<Open> open_;
    Plan rest_;  // the jobs of open_
    std::vector<std::size_t> just_ended_;
    Pace pace_;
};

}  // namespace

Result<SweepOutcome> run_on_slurm(const Plan& plan, const SubmitOptions& submit,
                                  const RunnerOptions& runner) {
    PLIMSOLL_CHECK(!submit.dry_run, "a dry run is not waited for");
    return SlurmWait(plan, submit, runner).go();
}

}  // namespace plimsoll::lab

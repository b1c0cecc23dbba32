#include "plimsoll/lab/jobs/runner.h"

#include <algorithm>
#include <deque>
#include <map>
#include <thread>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/lab/jobs/job_process.h"
#include "plimsoll/lab/jobs/pace.h"

namespace plimsoll::lab {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds between_reports{250}, between_looks{500}, between_tries{60'000};

struct Active {
    std::size_t index;  // of the job in the plan
    std::size_t slot;   // of the worker
    JobProcess process;
};

// A job that somebody else is at: by its files, or as processes of ours were told.
struct Absent {
    std::size_t index;
    std::string who;
    Clock::time_point since = Clock::now();
    int tries = 0;                    // processes of ours that were turned away
    Clock::time_point tried = since;  // when the last of them was

    // Tried again when the files say that it is free, after a while that grows, or after a minute anyway.
    [[nodiscard]] bool due(bool free) const {
        constexpr int most_doublings = 7;
        if (tries == 0) return true;
        const auto rest = between_looks * (1 << std::min(tries - 1, most_doublings));
        return Clock::now() - tried >= (free ? std::min(rest, between_tries) : between_tries);
    }
};

class SweepRunner {
  public:
    SweepRunner(const Plan& plan, const RunnerOptions& options)
        : plan_(plan),
          options_(options),
          devices_(split(options.device, ',')),
          folder_(sweep_folder(plan, options.runs)),
          weights_(job_weights(plan)) {}

    Result<SweepOutcome> go() {
        PLIMSOLL_RETURN_IF_ERROR(prepare());
        while (true) {
            collect();
            heed_stops();
            if (outcome_.stopped == StopCause::none) fill();
            if (active_.empty() && (outcome_.stopped != StopCause::none || nothing_to_do())) break;
            report();
            pause();
        }
        if (trouble_) return *trouble_;
        return finish();
    }

  private:
    // Sorts the jobs into what has ended and what is to do.
    Status prepare() {
        if (options_.workers < 1) return bad_input("workers", "must be at least 1");
        if (devices_.empty()) return bad_input("device", "must be named");
        PLIMSOLL_ASSIGN(states, job_states(plan_, options_.runs));
        outcome_.jobs.resize(states.size());
        for (std::size_t i = 0; i < states.size(); ++i) {
            const JobState& state = states[i];
            outcome_.jobs[i].id = state.id;
            if (!state.problem.empty())
                outcome_.notes.push_back(fmt::format("run {}: {}", state.id, state.problem));
            if (state.steps && *state.steps > 0 && state.phase != JobPhase::done)
                weights_[i] *= 1 - static_cast<double>(state.step) / static_cast<double>(*state.steps);
            const bool again = state.phase == JobPhase::failed && options_.retry_failed;
            if (again || !settled(i, state)) queue_.push_back(i);
        }
        return queue_.empty() ? Status() : make_job_folder(folder_);
    }

    // Whether a job has ended by its files; its outcome is noted then.
    bool settled(std::size_t index, const JobState& state) {
        JobOutcome& outcome = outcome_.jobs[index];
        if (state.phase != JobPhase::done && state.phase != JobPhase::failed) return false;
        outcome.loss = state.loss;
        outcome.state = state.phase == JobPhase::done ? JobResult::done : JobResult::failed;
        outcome.reason = state.reason;
        outcome.lasting = state.phase == JobPhase::failed;
        constexpr std::size_t lines = 5;
        if (state.phase == JobPhase::failed)
            outcome.last_log_lines = last_lines(job_files(folder_, state.id).log, 0, lines);
        return true;
    }

    // Fills the free workers.
    void fill() {
        while (std::ssize(active_) < options_.workers && !trouble_) {
            const auto index = next_job();
            if (!index) return;
            begin(*index);
        }
    }

    // The next job that nobody is at; when there is none, one that somebody was at and may have left.
    std::optional<std::size_t> next_job() {
        while (!queue_.empty()) {
            const std::size_t index = queue_.front();
            queue_.pop_front();
            const JobState state = job_state(plan_.jobs[index], options_.runs);
            const bool again = state.phase == JobPhase::failed && options_.retry_failed;
            if (!again && settled(index, state)) continue;
            if (state.phase != JobPhase::running) return index;
            absent_.push_back({index, state.holder});
        }
        return returned_job();
    }

    std::optional<std::size_t> returned_job() {
        if (Clock::now() < next_look_) return std::nullopt;
        next_look_ = Clock::now() + between_looks;
        for (auto absent = absent_.begin(); absent != absent_.end();) {
            const std::size_t index = absent->index;
            const JobState state = job_state(plan_.jobs[index], options_.runs);
            if (settled(index, state)) {
                absent = absent_.erase(absent);
            } else if (!given_up(*absent) && absent->due(state.phase != JobPhase::running)) {
                tried_.insert_or_assign(index, *absent);
                absent_.erase(absent);
                next_look_ = Clock::now();  // there may be more for the other workers
                return index;
            } else {
                ++absent;
            }
        }
        return std::nullopt;
    }

    // Whether somebody else has it for longer than we wait.
    [[nodiscard]] bool given_up(const Absent& absent) const {
        return !options_.wait && absent.tries > 0 && Clock::now() - absent.since >= options_.patience;
    }

    void begin(std::size_t index) {
        std::size_t slot = 0;
        const auto taken = [&](const Active& active) { return active.slot == slot; };
        while (std::ranges::any_of(active_, taken)) ++slot;
        const Job& job = plan_.jobs[index];
        auto process =
            JobProcess::start(job, job_files(folder_, job.id), devices_[slot % devices_.size()], options_);
        if (!process.ok()) {
            queue_.push_front(index);
            return stop_for(process.error());
        }
        active_.push_back({index, slot, std::move(process).value()});
    }

    void collect() {
        for (std::size_t i = 0; i < active_.size();) {
            const auto verdict = active_[i].process.poll();
            if (!verdict) {
                ++i;
                continue;
            }
            const std::size_t index = active_[i].index;
            active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(i));
            std::visit([&](const auto& what) { take(index, what); }, *verdict);
        }
    }

    void take(std::size_t index, const JobOutcome& outcome) {
        outcome_.jobs[index] = outcome;
        if (outcome.state == JobResult::done) pace_.add(weights_[index], outcome.seconds);
        tell(&outcome_.jobs[index]);
    }
    void take(std::size_t index, const Held& held) {
        Absent absent = tried_.try_emplace(index, Absent{index, ""}).first->second;
        absent.who = held.who;
        absent.tries += 1;
        absent.tried = Clock::now();
        absent_.push_back(std::move(absent));
    }
    void take(std::size_t index, const Error& error) {
        queue_.push_front(index);
        stop_for(error);
    }

    // Ends the sweep for a reason that concerns all jobs.
    void stop_for(const Error& error) {
        if (!trouble_) trouble_ = error;
        stop(StopCause::trouble);
    }

    void stop(StopCause cause) {
        if (outcome_.stopped != StopCause::none) return;
        outcome_.stopped = cause;
        for (Active& active : active_) active.process.stop();
        tell(nullptr);
    }

    void heed_stops() {
        if (options_.stop_requested && options_.stop_requested()) stop(StopCause::asked);
        if (options_.stop_after && Clock::now() - start_ >= *options_.stop_after && !nothing_to_do())
            stop(StopCause::time);
        if (!options_.kill_requested || !options_.kill_requested()) return;
        stop(StopCause::asked);
        for (Active& active : active_) active.process.kill();
    }

    // Whether all is done or with somebody else for longer than we wait.
    [[nodiscard]] bool nothing_to_do() const {
        if (!active_.empty() || !queue_.empty()) return false;
        return std::ranges::all_of(absent_, [&](const Absent& absent) { return given_up(absent); });
    }

    // Short while a child is young, so that short jobs follow one another at once.
    void pause() const {
        double youngest = 1;
        for (const Active& active : active_) youngest = std::min(youngest, active.process.seconds());
        constexpr double shortest = 0.001, longest = 0.02, share = 0.02;
        std::this_thread::sleep_for(
            std::chrono::duration<double>(std::clamp(share * youngest, shortest, longest)));
    }

    void report() {
        if (Clock::now() < next_report_) return;
        next_report_ = Clock::now() + between_reports;
        tell(nullptr);
    }

    void tell(const JobOutcome* ended) {
        if (!options_.tell) return;
        SweepProgress progress = outcome_.progress(ended);
        progress.elsewhere = absent_.size();
        progress.waiting = queue_.size();
        look_at_running(progress);
        options_.tell(progress);
    }

    // What runs, and how long the whole will take at the pace so far.
    void look_at_running(SweepProgress& progress) const {
        Pace pace = pace_;
        std::vector<double> left, shares;
        for (const Active& active : active_) {
            RunningJob now = active.process.look();
            now.number = active.index + 1;
            const double whole =
                now.steps ? static_cast<double>(*now.steps - active.process.first_step()) : 0;
            const double share =
                whole > 0 ? static_cast<double>(now.step - active.process.first_step()) / whole : 0;
            shares.push_back(share);
            pace.add(share * weights_[active.index], share > 0 ? now.seconds : 0);
            progress.running.push_back(std::move(now));
        }
        if (!pace.seconds(1)) return;
        for (std::size_t i = 0; i < active_.size(); ++i) {
            RunningJob& now = progress.running[i];
            if (!now.seconds_left)
                now.seconds_left = pace.seconds((1 - shares[i]) * weights_[active_[i].index]);
            left.push_back(*now.seconds_left);
        }
        for (const std::size_t index : queue_) left.push_back(*pace.seconds(weights_[index]));
        progress.seconds_left = time_left(left, options_.workers);
    }

    SweepOutcome finish() {
        for (const Absent& absent : absent_) {
            JobOutcome& outcome = outcome_.jobs[absent.index];
            outcome.state = JobResult::elsewhere;
            outcome.reason = absent.who;
        }
        outcome_.complete = outcome_.count(JobResult::done) == outcome_.jobs.size();
        outcome_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
        return std::move(outcome_);
    }

    const Plan& plan_;
    const RunnerOptions& options_;
    std::vector<std::string> devices_;
    std::filesystem::path folder_;
    std::vector<double> weights_;  // of what is left of each job
    Clock::time_point start_ = Clock::now(), next_report_ = start_, next_look_ = start_;
    SweepOutcome outcome_;
    std::deque<std::size_t> queue_;
    std::vector<Absent> absent_;
    std::map<std::size_t, Absent> tried_;  // what was known of such a job when it was tried
    std::vector<Active> active_;
    Pace pace_;
    std::optional<Error> trouble_;
};

}  // namespace

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

Result<SweepOutcome> run_sweep(const Plan& plan, const RunnerOptions& options) {
    return SweepRunner(plan, options).go();
}

}  // namespace plimsoll::lab

#include "plimsoll/lab/jobs/runner.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <utility>

#include <poll.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/lab/jobs/absent.h"
#include "plimsoll/lab/jobs/pace.h"
#include "plimsoll/lab/jobs/packing.h"
#include "plimsoll/lab/jobs/stack_record.h"
#include "plimsoll/lab/jobs/stack_run.h"
#include "plimsoll/lab/jobs/sweep_progress.h"
#include "plimsoll/lab/jobs/trunk_jobs.h"
#include "plimsoll/lab/jobs/worker.h"

namespace plimsoll::lab {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds between_reports{250};
constexpr int most_starts_in_vain = 3;

class SweepRunner {
  public:
    SweepRunner(const Plan& plan, const RunnerOptions& options)
        : plan_(plan),
          options_(options),
          devices_(split(options.device, ',')),
          given_(plan.jobs.size()),
          folder_(sweep_folder(plan, options.runs)),
          pool_(options.pool ? options.pool : std::make_shared<WorkerPool>()) {}

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
    // Sorts the jobs into what has ended and what is to do, and that into stacks.
    Status prepare() {
        if (options_.workers < 1) return bad_input("workers", "must be at least 1");
        if (devices_.empty()) return bad_input("device", "must be named");
        PLIMSOLL_ASSIGN(states, job_states(plan_, options_.runs));
        auto jobs = left_of(states, 0);
        trunks_ = add_trunk_jobs(plan_, jobs, options_.runs);
        for (std::size_t i = given_; i < plan_.jobs.size(); ++i)
            states.push_back(job_state(plan_.jobs[i], options_.runs));
        auto trunks = left_of(states, given_);
        weigh(states);
        if (jobs.empty()) return {};
        PLIMSOLL_RETURN_IF_ERROR(make_job_folder(folder_));
        return queue_stacks({std::move(trunks), std::move(jobs)}, states);
    }

    // The jobs from `first` on that have not ended.
    std::vector<std::size_t> left_of(const std::vector<JobState>& states, std::size_t first) {
        std::vector<std::size_t> left;
        outcome_.jobs.resize(states.size());
        for (std::size_t i = first; i < states.size(); ++i) {
            const JobState& state = states[i];
            outcome_.jobs[i].id = state.id;
            if (!state.problem.empty())
                outcome_.notes.push_back(fmt::format("run {}: {}", state.id, state.problem));
            if (is_wanted_again(state) || !settled(i, state)) left.push_back(i);
        }
        return left;
    }

    void weigh(const std::vector<JobState>& states) {
        weights_ = job_weights(plan_);
        for (std::size_t i = 0; i < states.size(); ++i) {
            const JobState& state = states[i];
            if (trunks_.contains(i))
                weights_[i] *= share_after_trunk(plan_.jobs[i]);
            else if (state.steps && *state.steps > 0 && state.phase != JobPhase::done)
                weights_[i] *= 1 - static_cast<double>(state.step) / static_cast<double>(*state.steps);
        }
    }

    // Stacks of an earlier call go on as they were, the rest is packed: trunks, then what branches from them.
    Status queue_stacks(std::array<std::vector<std::size_t>, 2> parts, const std::vector<JobState>& states) {
        const PackingOptions packing{devices_, options_.workers, options_.stack};
        for (const auto& jobs : noted_stacks(plan_, states, folder_, packing)) {
            const auto known = [&](std::size_t index) {
                return std::ranges::find(jobs, index) != jobs.end();
            };
            for (auto& part : parts) std::erase_if(part, known);
            queue_.push_back(stack_of(jobs));
            queue_.back().begun = queue_.back().noted = true;
        }
        lanes_ = lanes(packing);
        for (const auto& part : parts) {
            const auto packed = pack(plan_, part, packing);
            for (const auto& jobs : packed) {
                queue_.push_back(stack_of(jobs));
                queue_.back().noted = true;
            }
            PLIMSOLL_RETURN_IF_ERROR(note_stacks(folder_, plan_, packed, lanes_));
        }
        return {};
    }

    [[nodiscard]] bool is_wanted_again(const JobState& state) const {
        return state.phase == JobPhase::failed && options_.retry_failed;
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
            auto stack = next_stack();
            if (!stack) return;
            begin(std::move(*stack));
        }
    }

    // The next stack with jobs that no process holds; when there is none, a job that another held and may
    // have left.
    std::optional<Stack> next_stack() {
        for (auto next = queue_.begin(); next != queue_.end();) {
            if (waits(*next)) {
                ++next;
                continue;
            }
            Stack stack = std::move(*next);
            next = queue_.erase(next);
            look_at_members(stack);
            if (stack.open() > 0) return stack;
        }
        return returned_stack();
    }

    // Whether a job of the stack starts from a trunk that is not there yet.
    [[nodiscard]] bool waits(const Stack& stack) const {
        return std::ranges::any_of(stack.members, [&](const StackMember& member) {
            const auto trunk = trunks_.find(member.index);
            return member.open && trunk != trunks_.end() &&
                   outcome_.jobs[trunk->second].state == JobResult::waiting;
        });
    }

    // Takes out what has ended, unless it must keep its place, and what another process holds. A stack that
    // was begun stays together.
    void look_at_members(Stack& stack) {
        std::string holder;
        const auto leaves = [&](StackMember& member) {
            if (!member.open) return false;
            const JobState state = job_state(plan_.jobs[member.index], options_.runs);
            member.open = is_wanted_again(state) || !settled(member.index, state);
            if (!member.open) return !stack.begun;
            if (state.phase != JobPhase::running) return false;
            holder = state.holder;
            if (!stack.begun) absent_.push_back({stack_of({member.index}), holder});
            return !stack.begun;
        };
        if (std::erase_if(stack.members, leaves) > 0) stack.noted = false;
        if (stack.begun && !holder.empty()) absent_.push_back({std::exchange(stack, {}), holder});
    }

    std::optional<Stack> returned_stack() {
        if (Clock::now() < next_look_) return std::nullopt;
        next_look_ = Clock::now() + between_looks;
        for (auto absent = absent_.begin(); absent != absent_.end();) {
            const bool free = is_free(absent->stack);
            if (absent->stack.open() == 0) {
                absent = absent_.erase(absent);
            } else if (!given_up(*absent) && absent->due(free)) {
                Stack stack = absent->stack;
                tried_.insert_or_assign(absent->key(), *absent);
                absent_.erase(absent);
                next_look_ = Clock::now();  // there may be more for the other workers
                return stack;
            } else {
                ++absent;
            }
        }
        return std::nullopt;
    }

    // Whether no process holds the jobs any more, as their files say; those that have ended are settled.
    bool is_free(Stack& stack) {
        bool free = true;
        for (StackMember& member : stack.members) {
            if (!member.open) continue;
            const JobState state = job_state(plan_.jobs[member.index], options_.runs);
            member.open = !settled(member.index, state);
            free = free && (!member.open || state.phase != JobPhase::running);
        }
        return free;
    }

    // Whether another process has them for longer than we wait.
    [[nodiscard]] bool given_up(const Absent& absent) const {
        return !options_.wait && absent.tries > 0 && Clock::now() - absent.since >= options_.patience;
    }

    void begin(Stack stack) {
        const Stack before = stack;
        auto run = hand_over(std::move(stack));
        if (run.ok()) return active_.push_back(std::move(run).value());
        queue_.push_front(before);
        stop_for(run.error());
    }

    // Gives a stack to the worker of a free slot.
    Result<StackRun> hand_over(Stack stack) {
        PLIMSOLL_ASSIGN(run, StackRun::prepare(std::move(stack), plan_, options_, folder_));
        PLIMSOLL_ASSIGN(order, run.order(++orders_));
        if (!run.stack().noted) PLIMSOLL_RETURN_IF_ERROR(note_stacks(folder_, plan_, {run.jobs()}, lanes_));
        const std::size_t slot = free_slot();
        PLIMSOLL_ASSIGN(worker,
                        pool_->worker(slot, kind_of(slot), worker_log(folder_, slot), options_.silence));
        run.handed_to(slot, orders_, worker->log());
        worker->order(order);
        return run;
    }

    [[nodiscard]] std::size_t free_slot() const {
        std::size_t slot = 0;
        while (std::ranges::find(active_, slot, &StackRun::slot) != active_.end()) ++slot;
        return slot;
    }

    [[nodiscard]] WorkerKind kind_of(std::size_t slot) const {
        return {options_.program, devices_[slot % devices_.size()], options_.folder,
                worker_environment(options_.folder, options_.threads)};
    }

    void collect() {
        for (std::size_t i = 0; i < active_.size();) {
            if (is_over(active_[i]))
                active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(i));
            else
                ++i;
        }
    }

    // Takes what the worker of a stack answered; whether it has finished with it, or ended.
    bool is_over(StackRun& run) {
        Worker* worker = pool_->at(run.slot());
        for (const WorkerAnswer& answer : worker->hear()) {
            starts_in_vain_ = 0;
            if (std::visit([&](const auto& what) { return take(run, what); }, answer)) return put_off(run);
        }
        const auto end = worker->ended();
        if (!end) return false;
        const std::string device = worker->kind().device;
        pool_->remove(run.slot());
        bury(run, *end, device);
        return put_off(run);
    }

    // What another process held when a stack came to it waits, together.
    bool put_off(StackRun& run) {
        if (run.held().open() == 0) return true;
        Absent absent{run.held(), run.holder()};
        const auto before = tried_.find(absent.key());
        if (before != tried_.end()) {
            absent.since = before->second.since;
            absent.tries = before->second.tries;
        }
        absent.tries += 1;
        absent.tried = Clock::now();
        absent_.push_back(std::move(absent));
        return true;
    }

    // Each: whether the stack is over.
    bool take(StackRun& run, const RunEnd& end) {
        if (end.stack == run.number() && end.number < std::ssize(run.stack().members))
            end_member(run, static_cast<std::size_t>(end.number), end.outcome);
        return false;
    }
    bool take(StackRun& run, const StackHalved& halved) {
        if (halved.stack == run.number())
            outcome_.notes.push_back(fmt::format("worker {} halved a stack of {} runs: {}", run.slot(),
                                                 halved.runs, halved.reason));
        return false;
    }
    bool take(StackRun& run, const StackFinished& finished) {
        if (finished.stack != run.number()) return false;
        const Error silent = io_error("", "its worker did not report how the run ended");
        for (std::size_t i = 0; i < run.stack().members.size(); ++i) end_member(run, i, silent);
        return true;
    }
    // Not heard here: the worker sees to them.
    static bool take(const StackRun&, const WorkerHello&) { return false; }
    static bool take(const StackRun&, const LineRefused&) { return false; }

    void end_member(StackRun& run, std::size_t number, const Result<RunOutcome>& said) {
        StackMember& member = run.stack().members[number];
        if (!std::exchange(member.open, false)) return look_again(member.index);
        const JobEnd verdict = judge(run.at(number), said);
        std::visit([&](const auto& what) { settle(run, member.index, what); }, verdict);
    }

    // A job that only kept its place may have come to its end with the others.
    void look_again(std::size_t index) {
        const JobState state = job_state(plan_.jobs[index], options_.runs);
        if (state.phase == JobPhase::done) settled(index, state);
    }

    void settle(StackRun& run, std::size_t index, const JobOutcome& outcome) {
        outcome_.jobs[index] = outcome;
        if (outcome.state == JobResult::done) pace_.add(weights_[index], run.own_seconds());
        tell(&outcome_.jobs[index]);
    }
    static void settle(StackRun& run, std::size_t index, const Held& held) { run.note_held(index, held.who); }
    void settle(StackRun& run, std::size_t index, const Error& error) {
        queue_.push_front(stack_of({index}));
        stop_with(run, error);
    }

    // What becomes of a stack whose worker ended.
    void bury(StackRun& run, const WorkerEnd& end, const std::string& device) {
        const bool asked = outcome_.stopped != StopCause::none;
        if (end.process.exit_code == exit_stopped || (asked && (end.process.signal != 0 || !end.ready)))
            return end_all(run, RunOutcome::stopped);
        if (end.objection) return stop_with(run, *end.objection);
        if (asked) return end_all(run, io_error("", end.reason));
        if (!end.ready) return start_again(run, end);
        outcome_.notes.push_back(fmt::format("worker {} ({}), which had {} {}: {}", run.slot(), device,
                                             run.stack().open(), run.stack().open() == 1 ? "job" : "jobs",
                                             end.reason));
        try_again(run, end.reason);
    }

    void end_all(StackRun& run, const Result<RunOutcome>& said) {
        for (std::size_t i = 0; i < run.stack().members.size(); ++i) end_member(run, i, said);
    }

    // Ends the sweep; what is open in the stack is left as if it had not been begun.
    void stop_with(StackRun& run, const Error& error) {
        queue_.push_front(run.stack());
        for (StackMember& member : run.stack().members) member.open = false;
        stop_for(error);
    }

    // A worker that does not even come up says nothing about its jobs.
    void start_again(StackRun& run, const WorkerEnd& end) {
        if (++starts_in_vain_ < most_starts_in_vain) return queue_.push_front(run.stack());
        const auto words = last_lines(worker_log(folder_, run.slot()), 0, 1);
        stop_with(run, io_error(options_.program.string(),
                                fmt::format("no worker starts: {}{}", end.reason,
                                            words.empty() ? "" : "; its last line: " + words.back())));
    }

    // The stack once more, then each of its jobs alone, twice.
    void try_again(StackRun& run, const std::string& reason) {
        Stack& stack = run.stack();
        if (stack.deaths == 0) {
            stack.deaths = 1;
            stack.begun = true;
            return queue_.push_front(stack);
        }
        const bool alone = stack.members.size() == 1;
        for (std::size_t i = stack.members.size(); i-- > 0;) {
            StackMember& member = stack.members[i];
            if (!std::exchange(member.open, false)) continue;
            if (alone)
                settle(run, member.index, run.died_over(i, reason));
            else
                queue_.push_front(stack_of({member.index}));
        }
    }

    // Ends the sweep for a reason that concerns all jobs.
    void stop_for(const Error& error) {
        if (!trouble_) trouble_ = error;
        stop(StopCause::trouble);
    }

    void stop(StopCause cause) {
        if (outcome_.stopped != StopCause::none) return;
        outcome_.stopped = cause;
        pool_->stop();
        tell(nullptr);
    }

    void heed_stops() {
        if (options_.stop_requested && options_.stop_requested()) stop(StopCause::asked);
        if (options_.stop_after && Clock::now() - start_ >= *options_.stop_after && !nothing_to_do())
            stop(StopCause::time);
        if (!options_.kill_requested || !options_.kill_requested()) return;
        stop(StopCause::asked);
        pool_->kill();
    }

    // Whether all is done or held by another process for longer than we wait.
    [[nodiscard]] bool nothing_to_do() const {
        const auto waiting = [&](const Stack& stack) { return waits(stack); };
        if (!active_.empty() || !std::ranges::all_of(queue_, waiting)) return false;
        return std::ranges::all_of(absent_, [&](const Absent& absent) { return given_up(absent); });
    }

    // Until a worker says something, or shortly, as it may have died or we may be asked to stop.
    void pause() const {
        std::vector<pollfd> workers;
        for (const StackRun& run : active_)
            if (Worker* worker = pool_->at(run.slot()); worker != nullptr)
                workers.push_back({worker->descriptor(), POLLIN, 0});
        const bool deaf = std::ranges::any_of(workers, [](const pollfd& one) { return one.fd < 0; });
        constexpr int briefly = 1, longest = 20;
        ::poll(workers.data(), workers.size(), deaf ? briefly : longest);
    }

    void report() {
        if (Clock::now() < next_report_) return;
        next_report_ = Clock::now() + between_reports;
        tell(nullptr);
    }

    void tell(const JobOutcome* ended) {
        if (!options_.tell) return;
        SweepProgress progress = outcome_.progress(ended);
        for (const Absent& absent : absent_) progress.elsewhere += absent.stack.open();
        add_work_in_hand(progress, {active_, queue_, weights_, pace_, options_.workers});
        options_.tell(progress);
    }

    SweepOutcome finish() {
        for (const Absent& absent : absent_) {
            for (const StackMember& member : absent.stack.members) {
                if (!member.open) continue;
                outcome_.jobs[member.index].state = JobResult::elsewhere;
                outcome_.jobs[member.index].reason = absent.who;
            }
        }
        take_trunks_out(outcome_, given_, trunks_);
        outcome_.complete = outcome_.count(JobResult::done) == outcome_.jobs.size();
        outcome_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
        return std::move(outcome_);
    }

    Plan plan_;  // with the trunks behind its jobs
    const RunnerOptions& options_;
    std::vector<std::string> devices_;
    std::size_t given_;  // jobs without trunks
    TrunkOfJob trunks_;
    std::filesystem::path folder_;
    std::vector<double> weights_;  // of what is left of each job
    std::shared_ptr<WorkerPool> pool_;
    Clock::time_point start_ = Clock::now(), next_report_ = start_, next_look_ = start_;
    SweepOutcome outcome_;
    std::deque<Stack> queue_;
    std::vector<Absent> absent_;
    std::map<std::size_t, Absent> tried_;  // what was known of such jobs when they were tried
    std::vector<StackRun> active_;
    std::size_t lanes_ = 1;
    std::int64_t orders_ = 0;
    int starts_in_vain_ = 0;
    Pace pace_;
    std::optional<Error> trouble_;
};

}  // namespace

Result<SweepOutcome> run_sweep(const Plan& plan, const RunnerOptions& options) {
    return SweepRunner(plan, options).go();
}

}  // namespace plimsoll::lab

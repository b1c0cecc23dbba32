#include "plimsoll/lab/jobs/stack_run.h"

#include <algorithm>

#include "plimsoll/lab/jobs/job_files.h"
#include "plimsoll/lab/jobs/status.h"
#include "plimsoll/run/trunk.h"
#include "plimsoll/store/checkpoint.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

std::int64_t step_of(const Result<std::optional<store::Checkpoint>>& checkpoint) {
    return checkpoint.ok() && *checkpoint ? (*checkpoint)->step : 0;
}

// The step that a run resumes from: its own checkpoint's, or that of its trunk.
std::int64_t first_step(const Job& job, const fs::path& runs) {
    const std::int64_t own = step_of(store::latest_checkpoint(runs / job.id));
    const auto trunk = own == 0 && job.work.steps ? run::trunk_of(job.config) : std::nullopt;
    if (!trunk) return own;
    return step_of(store::checkpoint_up_to(runs / run::run_hash(*trunk),
                                           run::branching_step(job.config, *job.work.steps)));
}

}  // namespace

std::size_t Stack::open() const {
    return static_cast<std::size_t>(std::ranges::count(members, true, &StackMember::open));
}

Stack stack_of(const std::vector<std::size_t>& jobs) {
    Stack stack;
    for (const std::size_t index : jobs) stack.members.push_back({index});
    return stack;
}

StackRun::StackRun(Stack stack, const Plan& plan, const RunnerOptions& options, fs::path folder)
    : stack_(std::move(stack)), plan_(&plan), options_(&options), folder_(std::move(folder)) {}

Result<StackRun> StackRun::prepare(Stack stack, const Plan& plan, const RunnerOptions& options,
                                   const fs::path& sweep_folder) {
    StackRun made(std::move(stack), plan, options, sweep_folder);
    for (std::size_t i = 0; i < made.stack_.members.size(); ++i) {
        const JobFiles files = job_files(sweep_folder, made.job(i).id);
        PLIMSOLL_RETURN_IF_ERROR(write_job_config(files, made.job(i)));
        PLIMSOLL_RETURN_IF_ERROR(reserve_log(files.log));
        made.log_starts_.push_back(log_size(files.log));
        made.first_steps_.push_back(first_step(made.job(i), options.runs));
    }
    return made;
}

const Job& StackRun::job(std::size_t member) const { return plan_->jobs[stack_.members[member].index]; }

Result<std::string> StackRun::order(std::int64_t number) const {
    const auto from = [&](const fs::path& path) {
        return options_->folder.empty() ? path : fs::absolute(path);
    };
    StackOrder order{number, from(options_->runs), {}, options_->retry_failed};
    for (std::size_t i = 0; i < stack_.members.size(); ++i)
        order.configs.push_back(from(job_files(folder_, job(i).id).config));
    for (std::size_t i = 0; i < stack_.members.size() && !job(0).keep.empty(); ++i)
        order.keep.push_back(job(i).keep);
    return encode(order);
}

void StackRun::handed_to(std::size_t slot, std::int64_t number, const fs::path& worker_log) {
    slot_ = slot;
    number_ = number;
    worker_log_ = worker_log;
    worker_log_start_ = log_size(worker_log);
    start_ = std::chrono::steady_clock::now();
}

void StackRun::note_held(std::size_t index, const std::string& who) {
    holder_ = who;
    if (stack_.begun && held_.members.empty()) {
        held_ = {stack_.members, true, true, 0};
        for (StackMember& member : held_.members) member.open = false;
    }
    const auto place = std::ranges::find(held_.members, index, &StackMember::index);
    if (place == held_.members.end())
        held_.members.push_back({index});
    else
        place->open = true;
}

std::vector<std::size_t> StackRun::jobs() const {
    std::vector<std::size_t> all;
    for (const StackMember& member : stack_.members) all.push_back(member.index);
    return all;
}

double StackRun::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

double StackRun::own_seconds() const { return seconds() / static_cast<double>(stack_.members.size()); }

JobAtWork StackRun::at(std::size_t member) const {
    return {&job(member), options_->runs, job_files(folder_, job(member).id).log, log_starts_[member],
            seconds()};
}

JobOutcome StackRun::died_over(std::size_t member, const std::string& reason) const {
    return died(at(member), reason, worker_log_, worker_log_start_);
}

RunningJob StackRun::look(std::size_t member) const {
    const JobState state = job_state(job(member), options_->runs);
    RunningJob now;
    now.number = stack_.members[member].index + 1;
    now.id = job(member).id;
    now.step = std::max(state.step, first_steps_[member]);
    now.steps = state.steps;
    now.loss = state.loss;
    now.seconds = seconds();
    const auto made = static_cast<double>(now.step - first_steps_[member]);
    if (made > 0 && now.steps)
        now.seconds_left = now.seconds / made * static_cast<double>(*now.steps - now.step);
    return now;
}

double StackRun::share(std::size_t member, const RunningJob& now) const {
    const std::int64_t first = first_steps_[member];
    const double whole = now.steps ? static_cast<double>(*now.steps - first) : 0;
    return whole > 0 ? static_cast<double>(now.step - first) / whole : 0;
}

}  // namespace plimsoll::lab

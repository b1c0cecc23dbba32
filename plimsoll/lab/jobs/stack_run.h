#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "plimsoll/lab/jobs/job_end.h"
#include "plimsoll/lab/jobs/runner_options.h"

namespace plimsoll::lab {

struct StackMember {
    std::size_t index = 0;  // of the job in the plan
    bool open = true;       // how it ends is not known yet; others only keep their place in the stack
};

// Jobs that train as one program, in the order of their slots.
struct Stack {
    std::vector<StackMember> members;
    bool begun = false;  // with just these members: those that have ended keep their places
    bool noted = false;  // in stacks.jsonl
    int deaths = 0;      // of workers over it

    [[nodiscard]] std::size_t open() const;
};

// A stack of these jobs, by their places in the plan, that was not begun.
Stack stack_of(const std::vector<std::size_t>& jobs);

// A stack in the hands of a worker.
class StackRun {
  public:
    // Writes the configs of the members and keeps room for what there will be to say about them.
    static Result<StackRun> prepare(Stack stack, const Plan& plan, const RunnerOptions& options,
                                    const std::filesystem::path& sweep_folder);

    // The line for the worker; configs and runs are named so that it finds them from the folder it works in.
    [[nodiscard]] Result<std::string> order(std::int64_t number) const;
    // Notes who has it: the worker's slot and its log.
    void handed_to(std::size_t slot, std::int64_t number, const std::filesystem::path& worker_log);

    [[nodiscard]] Stack& stack() { return stack_; }
    [[nodiscard]] const Stack& stack() const { return stack_; }
    [[nodiscard]] std::vector<std::size_t> jobs() const;
    [[nodiscard]] std::size_t slot() const { return slot_; }
    [[nodiscard]] std::int64_t number() const { return number_; }
    [[nodiscard]] double seconds() const;

    // A member's job, for a verdict.
    [[nodiscard]] JobAtWork at(std::size_t member) const;
    // Notes a job of the stack that another process holds.
    void note_held(std::size_t index, const std::string& who);
    // Such jobs as a stack: in their places when this one had been begun before, else by themselves.
    [[nodiscard]] const Stack& held() const { return held_; }
    [[nodiscard]] const std::string& holder() const { return holder_; }

    // How it ended when its worker died over it.
    [[nodiscard]] JobOutcome died_over(std::size_t member, const std::string& reason) const;
    // How far an open member is, read from its files.
    [[nodiscard]] RunningJob look(std::size_t member) const;
    // The part of what this session has to do that is done, 0 to 1, for a member that is so far.
    [[nodiscard]] double share(std::size_t member, const RunningJob& now) const;
    // Seconds of the worker that are a member's: those of the stack, shared by its members.
    [[nodiscard]] double own_seconds() const;

  private:
    StackRun(Stack stack, const Plan& plan, const RunnerOptions& options, std::filesystem::path folder);
    [[nodiscard]] const Job& job(std::size_t member) const;

    Stack stack_, held_;
    std::string holder_;
    const Plan* plan_;
    const RunnerOptions* options_;
    std::filesystem::path folder_, worker_log_;
    std::uint64_t worker_log_start_ = 0;
    std::vector<std::int64_t> first_steps_;  // that the members go on from
    std::vector<std::uint64_t> log_starts_;
    std::size_t slot_ = 0;
    std::int64_t number_ = 0;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace plimsoll::lab

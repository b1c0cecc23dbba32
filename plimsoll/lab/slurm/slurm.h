#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "plimsoll/base/result.h"

// Slurm's own programs, called as child processes; their refusals come back in their own words.
namespace plimsoll::lab {

// One task of an array, as Slurm has it.
struct SlurmTask {
    std::string array;       // "123"
    std::int64_t index = 0;  // in the array
    std::string job;         // its own job id; the array's while it waits
    std::string state;       // "PENDING", "RUNNING", "FAILED"
    std::string name;        // of the job
    std::string reason;      // why it waits, or how it ended

    // "123_4".
    [[nodiscard]] std::string id() const { return array + "_" + std::to_string(index); }
    // Waits, runs or will run again.
    [[nodiscard]] bool live() const;
    [[nodiscard]] bool running() const;
};

// One job, as it is now.
struct SlurmJob {
    std::string state;          // "RUNNING", "COMPLETING" (it was cancelled or is at its limit), ...
    std::int64_t restarts = 0;  // how often it went back into the queue
};

class Slurm {
  public:
    // The programs are looked for in `folder`, or on the PATH when it is empty.
    explicit Slurm(std::filesystem::path folder = {}) : folder_(std::move(folder)) {}

    // The same, but a program that is at work when `stop` says so is ended; that is an error then.
    [[nodiscard]] Slurm until(std::function<bool()> stop) const;

    // Submits a script, to begin when the job `after` has ended (empty: at once); the id of the new job.
    [[nodiscard]] Result<std::string> submit(const std::filesystem::path& script,
                                             const std::string& after) const;
    // This user's array tasks: those that live, and for a while (MinJobAge) those that ended.
    [[nodiscard]] Result<std::vector<SlurmTask>> queue() const;
    // Tasks of these jobs that ended, from the accounting; none where a site keeps none.
    [[nodiscard]] std::vector<SlurmTask> accounted(const std::vector<std::string>& jobs) const;
    // Cancels jobs ("123") and tasks ("123_4").
    [[nodiscard]] Status cancel(const std::vector<std::string>& ids) const;
    // The most tasks that an array may have here.
    [[nodiscard]] Result<std::size_t> most_tasks() const;
    [[nodiscard]] Result<SlurmJob> look_up(const std::string& job) const;
    // Ends a running job and puts it back into the queue.
    [[nodiscard]] Status requeue(const std::string& job) const;

  private:
    // What the program prints; its own words as an error.
    [[nodiscard]] Result<std::string> output_of(const std::string& program,
                                                const std::vector<std::string>& arguments) const;
    std::filesystem::path folder_;
    std::function<bool()> stop_;  // may be empty
};

}  // namespace plimsoll::lab

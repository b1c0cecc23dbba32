#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "plimsoll/base/process.h"
#include "plimsoll/lab/jobs/runner.h"

namespace plimsoll::lab {

// Somebody else is at the job, as its process said.
struct Held {
    std::string who;
};

// How a process of a job ended: the job's outcome, or Held, or what is wrong for all jobs.
using Verdict = std::variant<JobOutcome, Held, Error>;

// What tells a child how many threads it may have; nothing for 0: as many as it likes.
std::vector<std::pair<std::string, std::string>> thread_environment(int threads);

// plimsoll-torch train on one job.
class JobProcess {
  public:
    static Result<JobProcess> start(const Job& job, const JobFiles& files, const std::string& device,
                                    const RunnerOptions& options);

    // The verdict once it ended, nothing while it runs.
    std::optional<Verdict> poll();
    // Asks it to stop, or ends it.
    void stop();
    void kill();

    [[nodiscard]] double seconds() const;
    // How far it is, read from its files.
    [[nodiscard]] RunningJob look() const;
    // The step it went on from.
    [[nodiscard]] std::int64_t first_step() const { return first_step_; }

  private:
    JobProcess(const Job& job, std::filesystem::path runs, std::filesystem::path log, Process process);
    [[nodiscard]] Verdict judge(const ProcessEnd& end) const;

    const Job* job_;
    std::filesystem::path runs_, log_;
    std::uint64_t log_start_ = 0;
    std::int64_t first_step_ = 0;
    bool asked_ = false;
    std::chrono::steady_clock::time_point start_;
    Process process_;
};

}  // namespace plimsoll::lab

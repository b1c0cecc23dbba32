#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// How far a sweep is and what it came to.
namespace plimsoll::lab {

enum class JobResult {
    done,
    failed,     // its files say so, its worker met an error, or died over it alone
    elsewhere,  // another process holds it
    stopped,    // in the middle; resumes from its checkpoint
    waiting,    // not begun in this call
};

struct JobOutcome {
    std::string id;
    JobResult state = JobResult::waiting;
    std::string reason;                       // of failed; who has it for elsewhere
    std::vector<std::string> last_log_lines;  // of failed
    double seconds = 0;                       // of its stack in this call
    bool here = false;           // this call ran it; else it was so before, or another process ran it
    bool lasting = false;        // its files say that it failed: tried again with retry_failed only
    std::optional<double> loss;  // of training, in its last row of metrics
};

struct RunningJob {
    std::size_t number = 0;  // in the plan, from 1
    std::string id;
    std::int64_t step = 0;
    std::optional<std::int64_t> steps;
    std::optional<double> loss;
    double seconds = 0;
    std::optional<double> seconds_left;
};

enum class StopCause { none, asked, time, trouble };

// How far a sweep is; told several times a second, and at once when a job ends or the sweep begins to stop.
struct SweepProgress {
    std::size_t jobs = 0, done = 0, failed = 0, elsewhere = 0, stopped = 0, waiting = 0;
    std::vector<RunningJob> running;
    std::optional<double> seconds_left;  // of the whole sweep, with what is known now
    StopCause stopping = StopCause::none;
    std::size_t ended_number = 0;       // in the plan, from 1
    const JobOutcome* ended = nullptr;  // the job that just ended, if one did
};

struct SweepOutcome {
    std::vector<JobOutcome> jobs;    // in the order of the plan
    std::vector<JobOutcome> trunks;  // that this call trained for them, or found (sweep/trunks.h)
    bool complete = false;           // all done
    StopCause stopped = StopCause::none;
    std::vector<std::string> notes;  // damaged files, workers that died, stacks that were halved, what goes
                                     // on without us
    double seconds = 0;

    [[nodiscard]] std::size_t count(JobResult state) const;
    // How far the sweep is by these jobs, of which `ended` just did (null: none); what runs and waits is not
    // known here.
    [[nodiscard]] SweepProgress progress(const JobOutcome* ended) const;
};

}  // namespace plimsoll::lab

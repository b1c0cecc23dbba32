#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

// What was submitted to Slurm and what its tasks did, as lines of plain files:
// RUNS/.sweeps/SWEEP/slurm.jsonl, submission-N.jobs and submission-N.sh for each submission, tasks/JOB.jsonl
// and logs for each job.
namespace plimsoll::lab {

// The ids of the runs that a task trains, as one stack when they are several.
using TaskRuns = std::vector<std::string>;

// One array that was, or was to be, submitted.
struct Submission {
    std::filesystem::path folder;  // of the sweep
    std::int64_t number = 0;       // in it, from 1
    std::string name;              // of the Slurm job
    std::string time;              // UTC
    std::string file;              // the sweep.toml, absolute
    std::vector<TaskRuns> tasks;   // task i has the i-th
    std::string slurm_job;         // empty: sbatch refused, or nobody was there to note its answer
    bool refused = false;
    bool cancelled = false;

    // "123_4", or empty without a job.
    [[nodiscard]] std::string task(std::size_t index) const;
    [[nodiscard]] std::filesystem::path log(std::size_t index) const;
};

// Files of submission `number` in a sweep's folder.
std::filesystem::path submission_jobs(const std::filesystem::path& sweep_folder, std::int64_t number);
std::filesystem::path submission_script(const std::filesystem::path& sweep_folder, std::int64_t number);

// All submissions of all sweeps in the folder `runs`, oldest first; lines that are no record are passed over.
Result<std::vector<Submission>> read_submissions(const std::filesystem::path& runs);
// The runs of each task, by line, in a file of jobs.
Result<std::vector<TaskRuns>> read_job_list(const std::filesystem::path& path);

// Adds a line with the time to slurm.jsonl of a sweep's folder and returns when it is on the disk.
Status note_submission(const std::filesystem::path& sweep_folder, Json record);

// What a task last said about itself.
struct TaskNote {
    std::string event;  // started, waiting, done, failed, stopped, requeued
    std::string task;   // "123_4"
    std::int64_t code = 0;
    std::int64_t step = 0;  // of the checkpoint at that moment
};
Status note_task(const std::filesystem::path& sweep_folder, const std::string& id, const TaskNote& note);
// The notes of a job, oldest first; none when no task ever began it.
std::vector<TaskNote> task_notes(const std::filesystem::path& sweep_folder, const std::string& id);

}  // namespace plimsoll::lab

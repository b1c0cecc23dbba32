#include "plimsoll/lab/slurm/slurm_submit.h"

#include <algorithm>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/lab/jobs/job_files.h"
#include "plimsoll/lab/jobs/packing.h"
#include "plimsoll/store/disk.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t slurms_default_array = 1001;
constexpr std::size_t name_digits = 8;

// Slurm reads paths from its own places.
SubmitOptions absolute(SubmitOptions options) {
    for (fs::path* path : {&options.runs, &options.program, &options.folder})
        *path = fs::absolute(*path).lexically_normal();
    return options;
}

bool counts_as_queued(const JobStatus& status) {
    return !status.task.empty() &&
           (status.phase == SweepPhase::queued || status.phase == SweepPhase::running);
}

// How far the jobs are; without Slurm, which only a dry run may be, by the files of the runs alone.
Result<std::vector<JobStatus>> looked_up(const Plan& plan, const SubmitOptions& options) {
    auto statuses = sweep_status(plan, options.runs, options.slurm);
    const bool no_slurm = !statuses.ok() && statuses.error().kind == ErrorKind::not_found;
    if (!options.dry_run || !no_slurm) return statuses;
    PLIMSOLL_ASSIGN(states, job_states(plan, options.runs));
    std::vector<JobStatus> by_files(states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (states[i].phase == JobPhase::done) by_files[i].phase = SweepPhase::done;
        by_files[i].run = states[i];
    }
    return by_files;
}

Result<std::size_t> most_tasks(const SubmitOptions& options) {
    const auto most = options.slurm.most_tasks();
    if (!most.ok() && options.dry_run) return slurms_default_array;
    return most;
}

// The number of the next submission of a sweep.
Result<std::int64_t> next_number(const fs::path& runs, const fs::path& folder) {
    PLIMSOLL_ASSIGN(all, read_submissions(runs));
    std::int64_t last = 0;
    for (const auto& submission : all)
        if (submission.folder == folder) last = std::max(last, submission.number);
    return last + 1;
}

// The jobs to submit, by their places in the plan; the others are counted.
std::vector<std::size_t> missing_jobs(const Plan& plan, const std::vector<JobStatus>& statuses,
                                      bool retry_failed, SubmitReport& report) {
    std::vector<std::size_t> missing;
    report.jobs = plan.jobs.size();
    for (std::size_t i = 0; i < statuses.size(); ++i) {
        if (statuses[i].phase == SweepPhase::done)
            ++report.done;
        else if (counts_as_queued(statuses[i]))
            ++report.queued;
        else if (statuses[i].run.phase == JobPhase::failed && !retry_failed)
            ++report.failed;
        else
            missing.push_back(i);
    }
    return missing;
}

using TaskJobs = std::vector<std::size_t>;  // places in the plan

std::size_t jobs_of(const std::vector<TaskJobs>& tasks) {
    std::size_t jobs = 0;
    for (const auto& task : tasks) jobs += task.size();
    return jobs;
}

class Submitter {
  public:
    Submitter(const Plan& plan, const SubmitOptions& options)
        : plan_(plan), options_(options), folder_(sweep_folder(plan, options.runs)) {}

    // `tasks` in order, at most `most` to an array.
    Result<std::vector<SubmittedArray>> submit(const std::vector<TaskJobs>& tasks, std::size_t most) {
        PLIMSOLL_ASSIGN(first, next_number(options_.runs, folder_));
        number_ = first;
        std::vector<SubmittedArray> arrays;
        for (std::size_t start = 0; start < tasks.size(); start += most, ++number_) {
            const auto end =
                tasks.begin() + static_cast<std::ptrdiff_t>(std::min(tasks.size(), start + most));
            const std::vector<TaskJobs> part(tasks.begin() + static_cast<std::ptrdiff_t>(start), end);
            PLIMSOLL_ASSIGN(array, one_array(part));
            arrays.push_back(std::move(array));
        }
        return arrays;
    }

  private:
    [[nodiscard]] std::string name() const {
        return fmt::format("plimsoll-{}-{}", folder_.filename().string().substr(0, name_digits), number_);
    }

    Result<SubmittedArray> one_array(const std::vector<TaskJobs>& tasks) {
        const auto file = fs::path(plan_.file).filename().string();
        const SlurmArray array{
            name(),          fmt::format("{} of {} jobs of {}", jobs_of(tasks), plan_.jobs.size(), file),
            tasks.size(),    options_.program,
            options_.folder, submission_jobs(folder_, number_),
            options_.runs,   folder_,
            options_.device};
        PLIMSOLL_ASSIGN(script, slurm_script(array, options_.settings));
        SubmittedArray done{"", tasks.size(), std::move(script), folder_};
        if (options_.dry_run) return done;
        PLIMSOLL_RETURN_IF_ERROR(write_files(tasks, done.script));
        PLIMSOLL_ASSIGN(id, hand_over());
        done.slurm_job = id;
        return done;
    }

    Status write_files(const std::vector<TaskJobs>& tasks, const std::string& script) const {
        std::string list;
        for (const auto& task : tasks) {
            TaskRuns ids;
            for (const std::size_t index : task) {
                const Job& job = plan_.jobs[index];
                PLIMSOLL_RETURN_IF_ERROR(write_job_config(job_files(folder_, job.id), job));
                ids.push_back(job.id);
            }
            list += join(ids, " ") + "\n";
        }
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(submission_jobs(folder_, number_), list));
        return atomic_write(submission_script(folder_, number_), script);
    }

    // Notes the intention before and Slurm's answer after: whatever happens in between can be found out.
    Result<std::string> hand_over() {
        PLIMSOLL_RETURN_IF_ERROR(note_submission(folder_, Json{{"event", "submitting"},
                                                               {"submission", number_},
                                                               {"name", name()},
                                                               {"file", fs::absolute(plan_.file).string()}}));
        const auto id = options_.slurm.submit(submission_script(folder_, number_), before_);
        Json answer{{"event", id.ok() ? "submitted" : "refused"}, {"submission", number_}};
        answer[id.ok() ? "job" : "reason"] = id.ok() ? *id : id.error().text();
        PLIMSOLL_RETURN_IF_ERROR(note_submission(folder_, answer));
        if (id.ok() && options_.settings.array_limit > 0) before_ = *id;
        return id;
    }

    const Plan& plan_;
    const SubmitOptions& options_;
    fs::path folder_;
    std::int64_t number_ = 1;
    std::string before_;  // the array after which the next one begins
};

}  // namespace

Result<SubmitReport> submit_sweep(const Plan& plan, const SubmitOptions& given) {
    const SubmitOptions options = absolute(given);
    const fs::path folder = sweep_folder(plan, options.runs);
    std::optional<FileLock> lock;  // two shells do not submit the same jobs
    if (!options.dry_run) {
        PLIMSOLL_RETURN_IF_ERROR(make_job_folder(folder));
        PLIMSOLL_ASSIGN(ours, FileLock::wait(options.runs / ".sweeps" / "submit.lock"));
        lock = std::move(ours);
    }
    PLIMSOLL_ASSIGN(statuses, looked_up(plan, options));
    SubmitReport report;
    const auto missing = missing_jobs(plan, statuses, options.retry_failed, report);
    if (missing.empty()) return report;
    PLIMSOLL_ASSIGN(most, most_tasks(options));
    const auto tasks = pack(plan, missing, {{options.device}, 1, options.stack && options.device != "cpu"});
    PLIMSOLL_ASSIGN(arrays, Submitter(plan, options).submit(tasks, most));
    report.arrays = std::move(arrays);
    return report;
}

}  // namespace plimsoll::lab

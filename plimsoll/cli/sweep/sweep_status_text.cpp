#include "plimsoll/cli/sweep/sweep_status_text.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/sweep/sweep_rows.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

using lab::SweepPhase;

constexpr std::array all_phases{SweepPhase::done,    SweepPhase::running, SweepPhase::queued,
                                SweepPhase::stopped, SweepPhase::missing, SweepPhase::failed};

std::size_t count(const std::vector<lab::JobStatus>& jobs, SweepPhase phase) {
    return static_cast<std::size_t>(std::ranges::count(jobs, phase, &lab::JobStatus::phase));
}

std::string steps_done_text(const lab::JobState& run) {
    return run.steps ? fmt::format("{}/{}", run.step, *run.steps) : std::to_string(run.step);
}

std::string note_of(const lab::JobStatus& job) {
    if (!job.run.problem.empty()) return job.run.problem;
    return job.reason == "None" ? "" : job.reason;
}

Mark mark_of(SweepPhase phase) {
    if (phase == SweepPhase::failed) return Mark::act;
    return phase == SweepPhase::done ? Mark::passed : Mark::none;
}

Table open_jobs_table(const std::vector<lab::JobStatus>& jobs) {
    Table table({{"job"},
                 {"id", Align::left},
                 {"state", Align::left},
                 {"step"},
                 {"task", Align::left},
                 {"", Align::left}});
    std::size_t rows = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (jobs[i].phase == SweepPhase::done || rows++ >= most_job_rows) continue;
        table.add({std::to_string(i + 1), jobs[i].run.id, phase_name(jobs[i].phase),
                   steps_done_text(jobs[i].run), jobs[i].task, printable(note_of(jobs[i]))},
                  mark_of(jobs[i].phase));
    }
    return table;
}

std::string phase_counts_text(const std::vector<lab::JobStatus>& jobs) {
    std::vector<std::string> parts;
    for (const SweepPhase phase : all_phases)
        if (const auto number = count(jobs, phase); number > 0)
            parts.push_back(fmt::format("{} {}", number, phase_name(phase)));
    return fmt::format("{}: {}", jobs.size(), join(parts, ", "));
}

void print_failure(const lab::JobStatus& job) {
    fmt::print("\n  {} failed: {}\n", job.run.id, printable(note_of(job)));
    for (const auto& line : job.last_lines) fmt::print("    {}\n", printable(line));
    if (!job.last_lines.empty()) fmt::print("    ({})\n", job.log.string());
}

}  // namespace

void print_submitted(const lab::SubmitReport& report, const std::string& file, bool dry_run) {
    if (dry_run) {
        for (const auto& array : report.arrays)
            fmt::print("{}{}", &array == &report.arrays.front() ? "" : "\n", array.script);
        if (!report.arrays.empty()) return;
    }
    for (const auto& array : report.arrays) {
        print_sweep_row("submitted", fmt::format("{} tasks as Slurm job {}", array.tasks, array.slurm_job));
        print_sweep_row("logs", fmt::format("{}/slurm-{}_*.log", array.logs.string(), array.slurm_job));
    }
    if (report.arrays.empty()) print_sweep_row("submitted", "nothing");
    const std::string diverged =
        report.failed > 0 ? fmt::format("; {} diverged (--retry-failed tries them again)", report.failed)
                          : "";
    print_sweep_row("jobs", fmt::format("{}: {} done and {} queued or running before{}", report.jobs,
                                        report.done, report.queued, diverged));
    if (!report.arrays.empty()) print_sweep_row("next", "plimsoll sweep status " + file);
}

Json submitted_json(const lab::SubmitReport& report) {
    Json arrays = Json::array();
    for (const auto& array : report.arrays)
        arrays.push_back(Json{{"job", array.slurm_job},
                              {"tasks", array.tasks},
                              {"logs", array.logs.string()},
                              {"script", array.script}});
    return Json{{"jobs", report.jobs},
                {"done", report.done},
                {"queued", report.queued},
                {"diverged", report.failed},
                {"arrays", arrays}};
}

void print_status(const lab::Plan& plan, const std::vector<lab::JobStatus>& jobs) {
    const std::size_t open = jobs.size() - count(jobs, SweepPhase::done);
    if (open > 0) open_jobs_table(jobs).print();
    if (open > most_job_rows) fmt::print("  and {} more; --json has all\n", open - most_job_rows);
    if (open > 0) fmt::print("\n");
    print_sweep_row("sweep", plan.file);
    print_sweep_row("jobs", phase_counts_text(jobs));
    for (const auto& job : jobs)
        if (job.phase == SweepPhase::failed) print_failure(job);
}

Json status_json(const std::vector<lab::JobStatus>& jobs) {
    Json all = Json::array();
    for (const auto& job : jobs) {
        Json one;
        one["id"] = job.run.id;
        one["state"] = phase_name(job.phase);
        one["step"] = job.run.step;
        one["steps"] = job.run.steps ? Json(*job.run.steps) : Json();
        one["task"] = job.task;
        one["reason"] = note_of(job);
        one["log"] = job.log.string();
        one["last_lines"] = job.last_lines;
        all.push_back(std::move(one));
    }
    Json counts;
    for (const SweepPhase phase : all_phases) counts[phase_name(phase)] = count(jobs, phase);
    return Json{{"counts", counts}, {"jobs", all}};
}

}  // namespace plimsoll::cli

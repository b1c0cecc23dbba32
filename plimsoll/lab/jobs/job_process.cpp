#include "plimsoll/lab/jobs/job_process.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "plimsoll/base/format.h"
#include "plimsoll/store/checkpoint.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t lines_of_failure = 5;
constexpr std::string_view error_mark = "error: ";

std::uint64_t size_of(const fs::path& file) {
    std::error_code problem;
    const auto size = fs::file_size(file, problem);
    return problem ? 0 : size;
}

// What follows "error: PLACE: " in a line, nothing in any other line.
std::optional<std::string> complaint_about(const std::string& line, const std::string& place) {
    const std::string start = fmt::format("{}{}: ", error_mark, place);
    if (!line.starts_with(start)) return std::nullopt;
    return line.substr(start.size());
}

std::string reason_of(const ProcessEnd& end, const std::string& last_line) {
    if (last_line.starts_with(error_mark)) return last_line.substr(error_mark.size());
    if (end.signal != 0) return fmt::format("its process was ended by signal {}", end.signal);
    if (end.ok()) return "its process ended well, but the run is not done";
    return fmt::format("its process ended with exit code {}", end.exit_code);
}

// A program with a slash in its name is found from wherever its caller is.
fs::path whole(const fs::path& program) {
    return program.has_parent_path() ? fs::absolute(program) : program;
}

// $PLIMSOLL_DATA as a child in another folder finds it, and its number of threads.
std::vector<std::pair<std::string, std::string>> environment_of(const RunnerOptions& options) {
    auto environment = thread_environment(options.threads);
    const char* data = std::getenv("PLIMSOLL_DATA");
    if (!options.folder.empty() && data != nullptr && *data != 0)
        environment.emplace_back("PLIMSOLL_DATA", fs::absolute(data).string());
    return environment;
}

// The step that a run goes on from.
std::int64_t checkpoint_step(const fs::path& run_folder) {
    const auto checkpoint = store::latest_checkpoint(run_folder);
    return checkpoint.ok() && *checkpoint ? (*checkpoint)->step : 0;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> thread_environment(int threads) {
    if (threads <= 0) return {};
    return {{"OMP_NUM_THREADS", std::to_string(threads)}};
}

JobProcess::JobProcess(const Job& job, fs::path runs, fs::path log, Process process)
    : job_(&job),
      runs_(std::move(runs)),
      log_(std::move(log)),
      start_(std::chrono::steady_clock::now()),
      process_(std::move(process)) {}

Result<JobProcess> JobProcess::start(const Job& job, const JobFiles& files, const std::string& device,
                                     const RunnerOptions& options) {
    PLIMSOLL_RETURN_IF_ERROR(write_job_config(files, job));
    PLIMSOLL_RETURN_IF_ERROR(reserve_log(files.log));
    const std::uint64_t log_start = size_of(files.log);
    const std::int64_t first_step = checkpoint_step(options.runs / job.id);
    const auto from = [&](const fs::path& path) {
        return options.folder.empty() ? path : fs::absolute(path);
    };
    PLIMSOLL_ASSIGN(
        process, Process::start({.program = options.folder.empty() ? options.program : whole(options.program),
                                 .arguments = {"train", from(files.config).string(), "--runs",
                                               from(options.runs).string(), "--device", device},
                                 .out = from(files.log),
                                 .err = from(files.log),
                                 .folder = options.folder,
                                 .environment = environment_of(options),
                                 .when_we_die = SIGTERM}));
    JobProcess started(job, options.runs, files.log, std::move(process));
    started.log_start_ = log_start;
    started.first_step_ = first_step;
    return started;
}

std::optional<Verdict> JobProcess::poll() {
    const auto end = process_.poll();
    if (!end) return std::nullopt;
    return judge(*end);
}

// The files of the run say whether it is done or diverged; only what they do not say comes from the process.
Verdict JobProcess::judge(const ProcessEnd& end) const {
    const JobState state = job_state(*job_, runs_);
    JobOutcome outcome{
        job_->id,  JobResult::failed, state.reason, {}, seconds(), true, state.phase == JobPhase::failed,
        state.loss};
    if (state.phase == JobPhase::done) {
        outcome.state = JobResult::done;
        return outcome;
    }
    if (end.exit_code == exit_stopped || (asked_ && end.signal != 0)) {
        outcome.state = JobResult::stopped;
        return outcome;
    }
    outcome.last_log_lines = last_lines(log_, log_start_, lines_of_failure);
    const std::string last = outcome.last_log_lines.empty() ? "" : outcome.last_log_lines.back();
    if (end.exit_code == static_cast<int>(ErrorKind::unsupported)) {
        if (const auto who = complaint_about(last, "run " + job_->id)) return Held{*who};
        if (const auto what = complaint_about(last, "device")) return unsupported("device", *what);
    }
    if (state.phase != JobPhase::failed) outcome.reason = reason_of(end, last);
    return outcome;
}

void JobProcess::stop() {
    asked_ = true;
    process_.terminate();
}

void JobProcess::kill() {
    asked_ = true;
    process_.kill();
}

double JobProcess::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

RunningJob JobProcess::look() const {
    const JobState state = job_state(*job_, runs_);
    RunningJob now{0, job_->id, std::max(state.step, first_step_), state.steps, state.loss, seconds(), {}};
    const auto made = static_cast<double>(now.step - first_step_);
    if (made > 0 && now.steps)
        now.seconds_left = now.seconds / made * static_cast<double>(*now.steps - now.step);
    return now;
}

}  // namespace plimsoll::lab

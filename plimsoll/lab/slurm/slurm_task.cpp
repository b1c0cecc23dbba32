#include "plimsoll/lab/slurm/slurm_task.h"

#include <algorithm>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/process.h"
#include "plimsoll/lab/jobs/job_files.h"
#include "plimsoll/lab/slurm/slurm_record.h"
#include "plimsoll/store/disk.h"
#include "plimsoll/store/run_folder.h"
#include "plimsoll/store/run_state.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

constexpr auto between_signals = std::chrono::milliseconds(50);
constexpr int exit_held = static_cast<int>(ErrorKind::unsupported);
constexpr std::size_t most_in_place = 3;
constexpr int most_in_vain = 1;  // the holder of the run may have left it before we looked

// A second descriptor of a stream of ours, by whose path a child opens it again.
class Copy {
  public:
    explicit Copy(int stream) : file_(::fcntl(stream, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)) {}
    [[nodiscard]] fs::path path() const {
        return file_.get() < 0 ? fs::path() : fs::path(fmt::format("/proc/self/fd/{}", file_.get()));
    }

  private:
    store::Descriptor file_;
};

class Task {
  public:
    Task(const TaskOptions& options, TaskRuns ids)
        : options_(options), ids_(std::move(ids)), sweep_(options.list.parent_path()) {}

    Result<int> go() {
        for (int in_vain = 0;;) {
            if (all_done()) return ended("done", 0, "is done");
            PLIMSOLL_RETURN_IF_ERROR(note("started", 0));
            PLIMSOLL_ASSIGN(code, train());
            if (code == exit_stopped) return stopped();
            if (code == 0) return ended("done", 0, "is done");
            if (code != exit_held || in_vain == most_in_vain)
                return ended("failed", code, fmt::format("failed: plimsoll-torch ended with {}", code));
            PLIMSOLL_ASSIGN(waited, wait_while_held());
            if (told_to_stop() != 0) return stopped();
            in_vain = waited ? 0 : in_vain + 1;
        }
    }

  private:
    [[nodiscard]] int told_to_stop() const { return options_.signal ? options_.signal() : 0; }
    void tell(const std::string& id, const std::string& what) const {
        if (options_.tell) options_.tell(fmt::format("run {}: {}", id, what));
    }
    [[nodiscard]] bool is_done(const std::string& id) const {
        const auto state = store::read_state(options_.runs / id);
        return state.ok() && state->phase == store::Phase::done;
    }
    [[nodiscard]] bool all_done() const {
        return std::ranges::all_of(ids_, [&](const auto& id) { return is_done(id); });
    }

    // Of every run of the task; one that is done is done, whatever the others came to.
    [[nodiscard]] Status note(const std::string& event, int code) const {
        for (const auto& id : ids_) {
            const bool done = ids_.size() > 1 && is_done(id);
            const TaskNote noted{done ? "done" : event, options_.slurm_task, done ? 0 : code, step(id)};
            PLIMSOLL_RETURN_IF_ERROR(note_task(sweep_, id, noted));
        }
        return {};
    }
    [[nodiscard]] Result<int> ended(const char* event, int code, const std::string& what) const {
        for (const auto& id : ids_) tell(id, ids_.size() > 1 && is_done(id) ? "is done" : what);
        PLIMSOLL_RETURN_IF_ERROR(note(event, code));
        return code;
    }
    [[nodiscard]] fs::path config(const std::string& id) const { return job_files(sweep_, id).config; }

    [[nodiscard]] std::vector<std::string> arguments() const {
        std::vector<std::string> words{"train"};
        for (const auto& id : ids_) words.push_back(config(id).string());
        words.insert(words.end(), {"--runs", options_.runs.string(), "--alone", "--device", options_.device});
        return words;
    }

    // The exit code of plimsoll-torch train, which says what it has to say where we do.
    [[nodiscard]] Result<int> train() const {
        ProcessRequest request;
        request.program = options_.program;
        request.arguments = arguments();
        const Copy out(STDOUT_FILENO), err(STDERR_FILENO);
        request.out = out.path();
        request.err = err.path();
        request.own_group = false;
        PLIMSOLL_ASSIGN(process, Process::start(request));
        for (int passed_on = 0;;) {
            if (const auto end = process.wait_for(between_signals)) {
                // A program that has only begun to start does not listen yet.
                const bool by_us = passed_on != 0 && end->signal == passed_on;
                return by_us ? exit_stopped : end->exit_code;
            }
            if (told_to_stop() == passed_on) continue;
            passed_on = told_to_stop();
            process.send(passed_on);
        }
    }

    // Waits while another process has one of the runs; whether any had.
    [[nodiscard]] Result<bool> wait_while_held() const {
        bool waited = false;
        for (const auto& id : ids_) {
            PLIMSOLL_ASSIGN(held, wait_while_held(id));
            waited = waited || held;
        }
        return waited;
    }
    [[nodiscard]] Result<bool> wait_while_held(const std::string& id) const {
        PLIMSOLL_ASSIGN(text, read_text(config(id)));
        for (bool waited = false;; waited = true) {
            const auto run = store::Run::create_or_open(options_.runs, text);
            if (run.ok() || told_to_stop() != 0) return waited;
            if (run.error().kind != ErrorKind::unsupported) return run.error();
            if (!waited) {
                tell(id, run.error().message + "; waiting");
                PLIMSOLL_RETURN_IF_ERROR(note("waiting", 0));
            }
            std::this_thread::sleep_for(options_.between_looks);
        }
    }

    // Why Slurm should not run the job again; empty when it should.
    [[nodiscard]] std::string objection() const {
        if (options_.slurm_job.empty()) return "this is not a Slurm task";
        const auto job = options_.slurm.look_up(options_.slurm_job);
        if (!job.ok()) return job.error().text();
        if (job->restarts != options_.restarts) return "Slurm has restarted the job elsewhere";
        if (job->state != "RUNNING") return "Slurm ends the job (" + job->state + ")";
        return "";
    }

    [[nodiscard]] std::int64_t step(const std::string& id) const {
        const auto checkpoint = store::latest_checkpoint(options_.runs / id);
        return checkpoint.ok() && *checkpoint ? (*checkpoint)->step : 0;
    }

    // Whether this session and the ones before it, queued again each, all ended at the same step.
    [[nodiscard]] bool makes_no_progress(const std::string& id) const {
        std::size_t sessions = 1;
        const auto notes = task_notes(sweep_, id);
        for (auto note = notes.rbegin(); note != notes.rend(); ++note) {
            if (note->event == "requeued" && note->step == step(id)) ++sessions;
            if (note->event == "requeued" && note->step != step(id)) break;
        }
        return sessions >= most_in_place;
    }
    [[nodiscard]] bool makes_no_progress() const {
        return std::ranges::all_of(ids_,
                                   [&](const auto& id) { return is_done(id) || makes_no_progress(id); });
    }

    // Back into the queue, unless Slurm is about to end the job: cancelled, or at its limit.
    [[nodiscard]] Result<int> stopped() const {
        if (const auto why = objection(); !why.empty())
            return ended("stopped", exit_stopped, "stopped, not requeued: " + why);
        if (makes_no_progress())
            return ended(
                "failed", exit_stopped,
                fmt::format("failed: {} sessions in a row made no step; the time limit less the grace is too "
                            "short for this run",
                            most_in_place));
        // Noted first: Slurm ends this process with the job.
        for (const auto& id : ids_) tell(id, "stopped; requeued");
        PLIMSOLL_RETURN_IF_ERROR(note("requeued", 0));
        const Status requeued = options_.slurm.requeue(options_.slurm_job);
        if (requeued.ok()) return 0;
        return ended("stopped", exit_stopped, "not requeued: " + requeued.error().text());
    }

    const TaskOptions& options_;
    TaskRuns ids_;
    fs::path sweep_;
};

}  // namespace

Result<int> run_task(const TaskOptions& options) {
    PLIMSOLL_ASSIGN(tasks, read_job_list(options.list));
    if (options.number >= tasks.size())
        return bad_input("--number", fmt::format("{} has {} tasks, numbered from 0; got {}",
                                                 options.list.string(), tasks.size(), options.number));
    return Task(options, tasks[options.number]).go();
}

}  // namespace plimsoll::lab

#include "plimsoll/lab/slurm_task.h"

#include <thread>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/process.h"
#include "plimsoll/lab/job_files.h"
#include "plimsoll/lab/slurm_record.h"
#include "plimsoll/store/run_folder.h"
#include "plimsoll/store/run_state.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

constexpr auto between_signals = std::chrono::milliseconds(50);
constexpr int exit_held = static_cast<int>(ErrorKind::unsupported);
constexpr int most_in_vain = 1;  // whoever had the run may have left it before we looked

class Task {
  public:
    Task(const TaskOptions& options, std::string id)
        : options_(options),
          id_(std::move(id)),
          sweep_(options.list.parent_path()),
          config_(job_files(sweep_, id_).config) {}

    Result<int> go() {
        for (int in_vain = 0;;) {
            if (is_done()) return ended("done", 0, "is done");
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
    void tell(const std::string& what) const {
        if (options_.tell) options_.tell(fmt::format("run {}: {}", id_, what));
    }
    [[nodiscard]] Status note(const char* event, int code) const {
        return note_task(sweep_, id_, {event, options_.slurm_task, code});
    }
    [[nodiscard]] Result<int> ended(const char* event, int code, const std::string& what) const {
        tell(what);
        PLIMSOLL_RETURN_IF_ERROR(note(event, code));
        return code;
    }
    [[nodiscard]] bool is_done() const {
        const auto state = store::read_state(options_.runs / id_);
        return state.ok() && state->phase == store::Phase::done;
    }

    // The exit code of plimsoll-torch train, which says what it has to say where we do.
    [[nodiscard]] Result<int> train() const {
        ProcessRequest request;
        request.program = options_.program;
        request.arguments = {"train",   config_.string(), "--runs",       options_.runs.string(),
                             "--alone", "--device",       options_.device};
        request.out = "/dev/stdout";
        request.err = "/dev/stderr";
        request.own_group = false;
        PLIMSOLL_ASSIGN(process, Process::start(request));
        for (int passed_on = 0;;) {
            if (const auto end = process.wait_for(between_signals)) return end->exit_code;
            if (told_to_stop() == passed_on) continue;
            passed_on = told_to_stop();
            process.send(passed_on);
        }
    }

    // Waits while somebody else has the run; whether anybody had.
    [[nodiscard]] Result<bool> wait_while_held() const {
        PLIMSOLL_ASSIGN(text, read_text(config_));
        for (bool waited = false;; waited = true) {
            const auto run = store::Run::create_or_open(options_.runs, text);
            if (run.ok() || told_to_stop() != 0) return waited;
            if (run.error().kind != ErrorKind::unsupported) return run.error();
            if (!waited) {
                tell(run.error().message + "; waiting");
                PLIMSOLL_RETURN_IF_ERROR(note("waiting", 0));
            }
            std::this_thread::sleep_for(options_.between_looks);
        }
    }

    // Back into the queue, unless Slurm is about to end the job: cancelled, or at its limit.
    [[nodiscard]] Result<int> stopped() const {
        if (options_.slurm_job.empty()) return ended("stopped", exit_stopped, "stopped");
        const auto state = options_.slurm.state_of(options_.slurm_job);
        if (!state.ok() || *state != "RUNNING") {
            const std::string why = state.ok() ? "Slurm ends the job (" + *state + ")" : state.error().text();
            return ended("stopped", exit_stopped, "stopped, not queued again: " + why);
        }
        // Noted first: Slurm ends this process with the job.
        tell("stopped; back into the queue");
        PLIMSOLL_RETURN_IF_ERROR(note("requeued", 0));
        const Status requeued = options_.slurm.requeue(options_.slurm_job);
        if (requeued.ok()) return 0;
        return ended("stopped", exit_stopped, "not queued again: " + requeued.error().text());
    }

    const TaskOptions& options_;
    std::string id_;
    fs::path sweep_, config_;
};

}  // namespace

Result<int> run_task(const TaskOptions& options) {
    PLIMSOLL_ASSIGN(ids, read_job_list(options.list));
    if (options.number >= ids.size())
        return bad_input("--number", fmt::format("{} has {} jobs, numbered from 0; got {}",
                                                 options.list.string(), ids.size(), options.number));
    return Task(options, ids[options.number]).go();
}

}  // namespace plimsoll::lab

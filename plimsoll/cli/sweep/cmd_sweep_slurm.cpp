#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/sweep/sweep_status_text.h"
#include "plimsoll/cli/sweep/sweep_verbs.h"
#include "plimsoll/cli/torch_program.h"
#include "plimsoll/lab/slurm/slurm_task.h"

namespace plimsoll::cli {
namespace {

struct SweepSlurmFlags {
    std::string file, runs, device = "cpu";
    bool json = false;
    std::size_t number = 0;
};

Result<lab::Plan> plan_of(const std::string& file) {
    PLIMSOLL_ASSIGN(sweep, lab::read_sweep(file));
    return lab::plan(sweep);
}

// A failed job is the answer "no".
Result<int> run_status(const SweepSlurmFlags& flags) {
    PLIMSOLL_ASSIGN(plan, plan_of(flags.file));
    PLIMSOLL_ASSIGN(jobs, lab::sweep_status(plan, runs_folder(flags.runs), lab::Slurm()));
    if (flags.json)
        print_json("sweep-status", status_json(jobs));
    else
        print_status(plan, jobs);
    return std::ranges::count(jobs, lab::SweepPhase::failed, &lab::JobStatus::phase) > 0 ? 1 : 0;
}

Result<int> run_cancel(const SweepSlurmFlags& flags) {
    PLIMSOLL_ASSIGN(plan, plan_of(flags.file));
    PLIMSOLL_ASSIGN(cancelled, lab::cancel_sweep(plan, flags.file, runs_folder(flags.runs), lab::Slurm()));
    if (flags.json)
        print_json("sweep-cancel", Json{{"cancelled", cancelled.tasks}, {"running", cancelled.running}});
    else
        fmt::print("  cancelled    {} tasks; {} of them are running and make a checkpoint first\n",
                   cancelled.tasks, cancelled.running);
    return 0;
}

volatile std::sig_atomic_t signal_that_came = 0;

void note_signal(int signal) { signal_that_came = signal; }

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

Result<int> run_task(const SweepSlurmFlags& flags) {
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) std::signal(signal, note_signal);
    lab::TaskOptions options;
    options.list = flags.file;
    options.number = flags.number;
    options.runs = runs_folder(flags.runs);
    options.device = flags.device;
    PLIMSOLL_ASSIGN(program, find_torch_program());
    options.program = program;
    options.slurm_job = variable("SLURM_JOB_ID");
    options.slurm_task = variable("SLURM_ARRAY_JOB_ID") + "_" + variable("SLURM_ARRAY_TASK_ID");
    const auto restarts = parse_integer(variable("SLURM_RESTART_COUNT"), "SLURM_RESTART_COUNT");
    options.restarts = restarts.ok() ? *restarts : 0;
    options.signal = [] { return static_cast<int>(signal_that_came); };
    options.tell = [](const std::string& line) {
        fmt::print("{}\n", line);
        std::fflush(stdout);
    };
    return lab::run_task(options);
}

std::shared_ptr<SweepSlurmFlags> add(CLI::App& sweep, Action& action,
                                     Result<int> (*run)(const SweepSlurmFlags&), const char* name,
                                     const char* meaning) {
    auto flags = std::make_shared<SweepSlurmFlags>();
    auto* verb = sweep.add_subcommand(name, meaning);
    verb->add_option("file", flags->file, "sweep.toml; docs/SWEEPS.md has every key")->required();
    verb->add_option("--runs", flags->runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
    verb->callback([&action, flags, run] { action = [flags, run] { return exit_code_of(run(*flags)); }; });
    return flags;
}

}  // namespace

void add_sweep_slurm(CLI::App& sweep, Action& action) {
    const auto status =
        add(sweep, action, run_status, "status", "show the state of its jobs, here and in Slurm");
    sweep.get_subcommand("status")->add_flag("--json", status->json, "for programs");
    const auto cancel = add(sweep, action, run_cancel, "cancel", "cancel its tasks in Slurm");
    sweep.get_subcommand("cancel")->add_flag("--json", cancel->json, "for programs");
    const auto task = add(sweep, action, run_task, "task", "run one task of an array (for batch scripts)");
    auto* verb = sweep.get_subcommand("task");
    verb->group("");  // not for people
    verb->add_option("--number", task->number, "index of the job in the list, from 0")->required();
    verb->add_option("--device", task->device, "cpu, cuda or cuda:1");
}

}  // namespace plimsoll::cli

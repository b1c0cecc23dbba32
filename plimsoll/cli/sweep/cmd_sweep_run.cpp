#include <functional>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/stop_signals.h"
#include "plimsoll/cli/sweep/sweep_run_text.h"
#include "plimsoll/cli/sweep/sweep_slurm_flags.h"
#include "plimsoll/cli/sweep/sweep_verbs.h"
#include "plimsoll/cli/torch_program.h"
#include "plimsoll/lab/slurm/slurm_wait.h"

namespace plimsoll::cli {
namespace {

struct RunFlags {
    std::string file, runs, device = "cpu", stop_after;
    int workers = 0;
    bool retry_failed = false, wait = false, no_stack = false, json = false;
};

Result<lab::RunnerOptions> options_of(const RunFlags& flags) {
    PLIMSOLL_ASSIGN(program, find_torch_program());
    PLIMSOLL_ASSIGN(options,
                    runner_options(flags.device, flags.workers, flags.retry_failed, flags.stop_after));
    options.program = program;
    options.runs = runs_folder(flags.runs);
    options.wait = flags.wait;
    options.stack = !flags.no_stack;
    return options;
}

using RunJobs = std::function<Result<lab::SweepOutcome>(const lab::Plan&, const lab::RunnerOptions&)>;

// The sweep with its live view, which is gone from the screen when it returns.
Result<lab::SweepOutcome> watched(const lab::Plan& plan, lab::RunnerOptions options, const RunJobs& run) {
    const StopSignals signals;
    SweepView view;
    options.tell = [&view](const lab::SweepProgress& progress) { view.show(progress); };
    return run(plan, options);
}

// 0: all done; 1: a job failed, or there is none; 75: nothing failed and the same command resumes.
int exit_code(const lab::SweepOutcome& outcome) {
    if (outcome.jobs.empty() || outcome.count(lab::JobResult::failed) > 0) return 1;
    return outcome.complete ? 0 : exit_stopped;
}

Result<int> run_jobs(const RunFlags& flags, const RunJobs& run) {
    PLIMSOLL_ASSIGN(sweep, lab::read_sweep(flags.file));
    PLIMSOLL_ASSIGN(plan, lab::plan(sweep));
    PLIMSOLL_ASSIGN(options, options_of(flags));
    PLIMSOLL_ASSIGN(outcome, watched(plan, options, run));
    if (flags.json)
        print_json("sweep", outcome_json(outcome));
    else
        print_outcome(outcome);
    return exit_code(outcome);
}

// Submits an array, and with --wait stays until it is done.
Result<int> run_on_slurm(const RunFlags& flags, const SlurmFlags& slurm) {
    if (!flags.wait && !flags.stop_after.empty())
        return bad_input("--stop-after", "with --slurm needs --wait; --time limits a task");
    if (!flags.wait || slurm.dry_run)
        return submit_to_slurm(
            slurm, {flags.file, flags.runs, flags.device, flags.retry_failed, !flags.no_stack, flags.json});
    PLIMSOLL_ASSIGN(submit, submit_options(slurm, flags.runs, flags.device));
    return run_jobs(flags, [&](const lab::Plan& plan, const lab::RunnerOptions& options) {
        return lab::run_on_slurm(plan, submit, options);
    });
}

}  // namespace

void add_sweep_run(CLI::App& sweep, Action& action) {
    auto flags = std::make_shared<RunFlags>();
    auto* verb = sweep.add_subcommand(
        "run", "train the missing runs; interrupt it at any time and rerun it to resume");
    verb->add_option("file", flags->file, "sweep.toml; docs/SWEEPS.md has every key")->required();
    verb->add_option("--workers", flags->workers,
                     "number of processes that train at the same time (default: one per device)")
        ->check(CLI::Range(1, 10'000));
    verb->add_option("--runs", flags->runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
    verb->add_option("--device", flags->device,
                     "cpu, cuda or cuda:1; several (cuda:0,cuda:1) are used in turn")
        ->capture_default_str();
    verb->add_option("--stop-after", flags->stop_after, "stop cleanly after this time: 90s, 10m, 1h30m");
    verb->add_flag("--retry-failed", flags->retry_failed, "also retry runs that diverged or failed");
    verb->add_flag("--wait", flags->wait,
                   "wait for jobs that another process holds; with --slurm for the array");
    verb->add_flag("--no-stack", flags->no_stack,
                   "train every job alone, even if several can train as one program");
    verb->add_flag("--json", flags->json, "for programs");
    const auto slurm = add_slurm_flags(*verb, "submit a job array and return; follow it with sweep status");
    verb->add_flag("--dry-run", slurm->dry_run, "show the script, submit nothing")
        ->needs(verb->get_option("--slurm"))
        ->group(slurm_group);
    verb->callback([&action, flags, slurm] {
        action = [flags, slurm] {
            return exit_code_of(slurm->slurm ? run_on_slurm(*flags, *slurm)
                                             : run_jobs(*flags, lab::run_sweep));
        };
    });
}

}  // namespace plimsoll::cli

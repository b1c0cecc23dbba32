#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/stop_signals.h"
#include "plimsoll/cli/sweep_run_text.h"
#include "plimsoll/cli/sweep_slurm_flags.h"
#include "plimsoll/cli/sweep_verbs.h"
#include "plimsoll/cli/torch_program.h"

namespace plimsoll::cli {
namespace {

struct RunFlags {
    std::string file, runs, device = "cpu", stop_after;
    int workers = 0;
    bool retry_failed = false, wait = false, json = false;
};

Result<lab::RunnerOptions> options_of(const RunFlags& flags) {
    PLIMSOLL_ASSIGN(program, find_torch_program());
    PLIMSOLL_ASSIGN(options,
                    runner_options(flags.device, flags.workers, flags.retry_failed, flags.stop_after));
    options.program = program;
    options.runs = runs_folder(flags.runs);
    options.wait = flags.wait;
    return options;
}

// The sweep with its live view, which is gone from the screen when it returns.
Result<lab::SweepOutcome> watched(const lab::Plan& plan, lab::RunnerOptions options) {
    const StopSignals signals;
    SweepView view;
    options.tell = [&view](const lab::SweepProgress& progress) { view.show(progress); };
    return lab::run_sweep(plan, options);
}

// 0: all done; 1: a job failed, or there is none; 75: nothing failed and the same command goes on.
int exit_code(const lab::SweepOutcome& outcome) {
    if (outcome.jobs.empty() || outcome.count(lab::JobResult::failed) > 0) return 1;
    return outcome.complete ? 0 : exit_stopped;
}

Result<int> run_sweep(const RunFlags& flags) {
    PLIMSOLL_ASSIGN(sweep, lab::read_sweep(flags.file));
    PLIMSOLL_ASSIGN(plan, lab::plan(sweep));
    PLIMSOLL_ASSIGN(options, options_of(flags));
    PLIMSOLL_ASSIGN(outcome, watched(plan, options));
    if (flags.json)
        print_json(outcome_json(outcome));
    else
        print_outcome(outcome);
    return exit_code(outcome);
}

}  // namespace

void add_sweep_run(CLI::App& sweep, Action& action) {
    auto flags = std::make_shared<RunFlags>();
    auto* verb =
        sweep.add_subcommand("run", "train what is missing, here; may be stopped in any way and run again");
    verb->add_option("file", flags->file, "sweep.toml; docs/SWEEPS.md has every key")->required();
    verb->add_option("--workers", flags->workers, "jobs at a time (default: one for each device)")
        ->check(CLI::Range(1, 10'000));
    verb->add_option("--runs", flags->runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
    verb->add_option("--device", flags->device, "cpu, cuda or cuda:1; several (cuda:0,cuda:1) are shared out")
        ->capture_default_str();
    verb->add_option("--stop-after", flags->stop_after, "stop cleanly after so long: 90s, 10m, 1h30m");
    verb->add_flag("--retry-failed", flags->retry_failed,
                   "try runs again that diverged or ended with an error");
    verb->add_flag("--wait", flags->wait, "wait for jobs that somebody else is at");
    verb->add_flag("--json", flags->json, "for programs");
    const auto slurm = add_slurm_flags(*verb);
    verb->callback([&action, flags, slurm] {
        action = [flags, slurm] {
            const auto code = slurm->slurm ? submit_to_slurm(*slurm, {flags->file, flags->runs, flags->device,
                                                                      flags->retry_failed, flags->json})
                                           : run_sweep(*flags);
            return code.ok() ? *code : fail(code.error());
        };
    });
}

}  // namespace plimsoll::cli

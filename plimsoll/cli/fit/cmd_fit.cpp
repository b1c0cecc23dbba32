#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "plimsoll/base/exit_codes.h"
#include "plimsoll/base/format.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/fit/fit_flags.h"
#include "plimsoll/cli/fit/fit_ladder.h"
#include "plimsoll/cli/fit/fit_text.h"
#include "plimsoll/cli/fit/fit_view.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/stop_signals.h"
#include "plimsoll/cli/sweep/sweep_run_text.h"
#include "plimsoll/cli/sweep/sweep_slurm_flags.h"
#include "plimsoll/cli/torch_program.h"
#include "plimsoll/fit/fit.h"
#include "plimsoll/fit/fit_json.h"
#include "plimsoll/lab/slurm/slurm_wait.h"

namespace plimsoll::cli {
namespace {

// The runs of a race as tasks of Slurm. How long those queue nobody knows, so a time is no budget.
Status race_on_slurm(fit::RaceOptions& race, const SlurmFlags& slurm, const fit::FitRequest& request) {
    if (!request.flops) return bad_input("--slurm", "needs --flops: the time in a queue is not training");
    PLIMSOLL_ASSIGN(submit, submit_options(slurm, (request.out / "runs").string(), request.device));
    race.run = [submit](const lab::Plan& plan, const lab::RunnerOptions& runner) {
        return lab::run_on_slurm(plan, submit, runner);
    };
    return {};
}

Result<fit::FitOptions> options_of(const FitFlags& flags, const SlurmFlags& slurm,
                                   const fit::FitRequest& request) {
    PLIMSOLL_ASSIGN(program, find_torch_program());
    PLIMSOLL_ASSIGN(runner, runner_options(request.device, request.workers, flags.retry_failed, ""));
    fit::FitOptions options;
    options.race.runner = std::move(runner);
    options.race.runner.program = program;
    options.race.runner.stack = !flags.no_stack;
    if (slurm.slurm) PLIMSOLL_RETURN_IF_ERROR(race_on_slurm(options.race, slurm, request));
    return options;
}

// The steps as they end, and the outcome, which has been shown.
Result<fit::FitOutcome> watched(const fit::FitRequest& request, fit::FitOptions options, bool json) {
    const StopSignals signals;
    StopSignals::end_at_once(true);
    FitView view(json);
    options.watch = view.watch();
    auto outcome = fit::fit(request, options);
    if (outcome.ok()) view.end(*outcome, request);
    return outcome;
}

// 0: decided; 75: stopped, and the same command resumes.
Result<int> run(FitFlags flags, const SlurmFlags& slurm, const std::string& command) {
    if (!flags.data_folder.empty()) ::setenv("PLIMSOLL_DATA", flags.data_folder.c_str(), 1);
    const bool may_be_gpu = flags.device == "auto" || flags.device == "cpu";
    if (!slurm.settings.gpus.empty() && may_be_gpu) flags.device = "cuda";
    PLIMSOLL_ASSIGN(request, request_of(flags));
    if (!slurm.slurm) PLIMSOLL_RETURN_IF_ERROR(check_devices(request.device));  // else those of the nodes
    if (flags.data.size() <= 1 && flags.data != std::vector<std::string>{"-"})
        PLIMSOLL_RETURN_IF_ERROR(fit::check_request(request));  // the data of the others is not there yet
    PLIMSOLL_ASSIGN(options, options_of(flags, slurm, request));
    if (flags.data.size() > 1) PLIMSOLL_RETURN_IF_ERROR(join_text_files(flags.data, request.data));
    PLIMSOLL_RETURN_IF_ERROR(keep_standard_input(flags, request));
    options.command = command;
    options.dry_run = flags.dry_run;
    if (!flags.json) fmt::print("{}", request_text(request));
    std::fflush(stdout);
    if (!flags.target.empty()) return run_ladder(flags, request, options);
    PLIMSOLL_ASSIGN(outcome, watched(request, options, flags.json));
    if (flags.json)
        print_json("fit", fit::fit_json(request, outcome.look, outcome.proposal, outcome.race,
                                        outcome.decision, outcome.handed));
    return outcome.stopped ? exit_stopped : 0;
}

}  // namespace

void add_fit(CLI::App& app, Action& action) {
    auto* verb =
        app.add_subcommand("fit", "data and a budget in, a network with its evidence out; docs/FIT.md");
    const auto flags = add_fit_flags(*verb);
    const auto slurm =
        add_slurm_flags(*verb, "train on a cluster: each rung is a job array that is waited for");
    verb->callback([&action, flags, slurm, verb] {
        action = [flags, slurm, verb] { return exit_code_of(run(*flags, *slurm, typed_command(*verb))); };
    });
}

}  // namespace plimsoll::cli

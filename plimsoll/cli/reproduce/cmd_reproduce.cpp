#include <cstdlib>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/reproduce/reproduce_text.h"
#include "plimsoll/cli/stop_signals.h"
#include "plimsoll/cli/sweep/sweep_run_text.h"
#include "plimsoll/cli/torch_program.h"

namespace plimsoll::cli {
namespace {

struct ReproduceFlags {
    std::string id, scale = "smoke", out, runs, device = "cpu", stop_after, data;
    int workers = 0;
    bool list = false, plan = false, prepare = false, keep = false, retry_failed = false, json = false;
    bool no_stack = false;
};

Result<int> run_list(const ReproduceFlags& flags) {
    PLIMSOLL_ASSIGN(all, lab::list_experiments(lab::experiments_folder()));
    if (flags.json) return print_json("experiments", experiments_json(all)), 0;
    return print_experiments(all), 0;
}

Result<int> run_plan(const ReproduceFlags& flags, const lab::Experiment& experiment) {
    PLIMSOLL_ASSIGN(scale, experiment.scale(flags.scale));
    PLIMSOLL_ASSIGN(plan, lab::plan_reproduction(experiment, *scale));
    if (flags.json) return print_json("reproduce-plan", reproduce_plan_json(experiment, *scale, plan)), 0;
    return print_reproduce_plan(experiment, *scale, plan), 0;
}

Result<lab::ReproduceOptions> options_of(const ReproduceFlags& flags, const lab::Experiment& experiment) {
    PLIMSOLL_ASSIGN(runner,
                    runner_options(flags.device, flags.workers, flags.retry_failed, flags.stop_after));
    lab::ReproduceOptions options;
    options.runner = std::move(runner);
    options.runner.stack = !flags.no_stack;
    options.scale = flags.scale;
    options.out = flags.out.empty() ? experiment.id + "-" + flags.scale : flags.out;
    options.runs = flags.runs;
    options.keep = flags.keep;
    options.command = "plimsoll reproduce " + experiment.id + " --scale " + flags.scale;
    options.say = [](const std::string& line) { std::fputs((line + "\n").c_str(), stderr); };
    return options;
}

// With the live view of sweeps, which is gone from the screen when it returns.
Result<lab::Reproduction> watched(const lab::Experiment& experiment, lab::ReproduceOptions options) {
    const StopSignals signals;
    SweepView view;
    options.runner.tell = [&view](const lab::SweepProgress& progress) { view.show(progress); };
    return lab::reproduce(experiment, options);
}

// 0: complete; 1: a run failed; 75: nothing failed and the same command resumes.
int exit_code(const lab::Reproduction& result) {
    if (result.sweep && result.sweep->count(lab::JobResult::failed) > 0) return 1;
    return result.complete ? 0 : exit_stopped;
}

Result<int> run(const ReproduceFlags& flags) {
    if (!flags.data.empty()) ::setenv("PLIMSOLL_DATA", flags.data.c_str(), 1);
    if (flags.list) return run_list(flags);
    if (flags.id.empty()) return bad_input("id", "missing; plimsoll reproduce --list shows all");
    PLIMSOLL_ASSIGN(experiment, lab::find_experiment(flags.id));
    if (flags.plan) return run_plan(flags, experiment);
    PLIMSOLL_ASSIGN(options, options_of(flags, experiment));
    if (flags.prepare) {
        PLIMSOLL_RETURN_IF_ERROR(lab::prepare_only(experiment, options));
        return 0;
    }
    if (!experiment.has_rows("computed")) {
        PLIMSOLL_ASSIGN(program, find_torch_program());
        options.runner.program = program;
    }
    PLIMSOLL_ASSIGN(result, watched(experiment, options));
    if (flags.json)
        print_json("reproduction", reproduction_json(result));
    else
        print_reproduction(experiment, flags.scale, result, options.out);
    return exit_code(result);
}

}  // namespace

void add_reproduce(CLI::App& app, Action& action) {
    auto flags = std::make_shared<ReproduceFlags>();
    auto* verb = app.add_subcommand(
        "reproduce",
        "rerun a published experiment, or one of ours, from data to report; docs/EXPERIMENTS.md");
    verb->add_option("id", flags->id, "an experiment, or a folder with an experiment.toml");
    verb->add_flag("--list", flags->list, "list every experiment with its scales");
    verb->add_option("--scale", flags->scale,
                     "smoke (seconds on a CPU), desk (minutes on a GPU) or paper (a cluster)")
        ->capture_default_str();
    verb->add_option("--out", flags->out, "folder of the output (default ID-SCALE)");
    verb->add_option("--runs", flags->runs, "folder of runs (default OUT/runs)");
    verb->add_option("--data", flags->data, "folder of data sets, as $PLIMSOLL_DATA");
    verb->add_option("--device", flags->device,
                     "cpu, cuda or cuda:1; several, separated by commas, are used in turn")
        ->capture_default_str();
    verb->add_option("--workers", flags->workers,
                     "number of processes that train at the same time (default: one per device)")
        ->check(CLI::Range(1, 10'000));
    verb->add_option("--stop-after", flags->stop_after, "stop cleanly after this time: 90s, 10m, 1h30m");
    verb->add_flag("--retry-failed", flags->retry_failed, "also retry failed runs");
    verb->add_flag("--no-stack", flags->no_stack,
                   "train every run alone, even if several can train as one program");
    verb->add_flag("--plan", flags->plan, "only print the cost and the missing data");
    verb->add_flag("--prepare", flags->prepare, "only make the tokenizers and files that its sweeps read");
    verb->add_flag("--keep", flags->keep, "also keep rows and pictures in the experiment's results/");
    verb->add_flag("--json", flags->json, "for programs");
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run(*flags)); }; });
}

}  // namespace plimsoll::cli

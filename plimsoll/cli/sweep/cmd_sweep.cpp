#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "plimsoll/base/format.h"
#include "plimsoll/base/progress.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/sweep/sweep_text.h"
#include "plimsoll/cli/sweep/sweep_verbs.h"
#include "plimsoll/cli/torch_program.h"
#include "plimsoll/lab/sweep/plan_rows.h"

namespace plimsoll::cli {
namespace {

struct PlanFlags {
    std::string file, device = "cpu";
    bool no_calibrate = false, json = false, csv = false;
};

Result<std::optional<lab::Calibration>> measured(const PlanFlags& flags, const lab::Plan& plan) {
    if (flags.no_calibrate || plan.jobs.empty()) return std::optional<lab::Calibration>();
    const auto program = find_torch_program();
    if (!program.ok()) {
        const Error& error = program.error();
        return Error{error.kind, error.where, error.message + "; with --no-calibrate it is not needed"};
    }
    ProgressBar bar("measuring");
    PLIMSOLL_ASSIGN(
        cost,
        lab::calibrate(plan, {.program = *program, .device = flags.device, .progress = bar.callback()}));
    return std::optional(std::move(cost));
}

// A sweep without a job is the answer "no".
Result<int> run_plan(const PlanFlags& flags) {
    PLIMSOLL_ASSIGN(sweep, lab::read_sweep(flags.file));
    PLIMSOLL_ASSIGN(plan, lab::plan(sweep));
    PLIMSOLL_ASSIGN(cost, measured(flags, plan));
    const lab::Calibration* known = cost ? &*cost : nullptr;
    if (flags.json)
        print_json("sweep-plan", lab::plan_json(plan, known));
    else if (flags.csv)
        fmt::print("{}", lab::plan_csv(plan, known));
    else
        print_plan(plan, known);
    return plan.jobs.empty() ? 1 : 0;
}

void add_plan(CLI::App& sweep, Action& action) {
    auto flags = std::make_shared<PlanFlags>();
    auto* verb = sweep.add_subcommand("plan", "list its jobs with parameters, FLOPs and estimated time");
    verb->add_option("file", flags->file, "sweep.toml; docs/SWEEPS.md has every key")->required();
    verb->add_flag("--no-calibrate", flags->no_calibrate, "train nothing: no estimate of the time");
    verb->add_option("--device", flags->device, "cpu, cuda or cuda:1, to measure on")->capture_default_str();
    auto* json = verb->add_flag("--json", flags->json, "for programs");
    verb->add_flag("--csv", flags->csv, "one line per job")->excludes(json);
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run_plan(*flags)); }; });
}

}  // namespace

void add_sweep(CLI::App& app, Action& action) {
    auto* sweep = app.add_subcommand("sweep", "make many runs from one sweep.toml");
    sweep->require_subcommand(1);
    add_plan(*sweep, action);
    add_sweep_run(*sweep, action);
    add_sweep_slurm(*sweep, action);
}

}  // namespace plimsoll::cli

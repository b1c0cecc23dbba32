#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "plimsoll/base/exit_codes.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/fit_flags.h"
#include "plimsoll/cli/fit_text.h"
#include "plimsoll/cli/fit_view.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/stop_signals.h"
#include "plimsoll/cli/sweep_run_text.h"
#include "plimsoll/cli/torch_program.h"
#include "plimsoll/fit/fit.h"

namespace plimsoll::cli {
namespace {

Result<fit::FitOptions> options_of(const FitFlags& flags, const fit::FitRequest& request) {
    PLIMSOLL_ASSIGN(program, find_torch_program());
    PLIMSOLL_ASSIGN(runner, runner_options(request.device, request.workers, flags.retry_failed, ""));
    fit::FitOptions options;
    options.race.runner = std::move(runner);
    options.race.runner.program = program;
    return options;
}

Result<int> run(const FitFlags& flags, const std::string& command) {
    if (!flags.data_folder.empty()) ::setenv("PLIMSOLL_DATA", flags.data_folder.c_str(), 1);
    PLIMSOLL_ASSIGN(request, request_of(flags));
    PLIMSOLL_ASSIGN(options, options_of(flags, request));
    if (flags.data.size() > 1) PLIMSOLL_RETURN_IF_ERROR(join_text_files(flags.data, request.data));
    options.command = command;
    if (!flags.json) std::fputs(request_text(request).c_str(), stdout);
    const StopSignals signals;
    StopSignals::end_at_once(true);
    FitView view(flags.json);
    options.watch = view.watch();
    PLIMSOLL_ASSIGN(outcome, fit::fit(request, options));
    view.end(outcome, request);
    if (flags.json)
        print_json(fit::fit_json(request, outcome.look, outcome.proposal, outcome.race, outcome.decision,
                                 outcome.handed));
    return outcome.stopped ? exit_stopped : 0;
}

}  // namespace

void add_fit(CLI::App& app, Action& action) {
    auto* verb =
        app.add_subcommand("fit", "data and a budget in, a network with its evidence out; docs/FIT.md");
    const auto flags = add_fit_flags(*verb);
    verb->callback([&action, flags, verb] {
        action = [flags, verb] {
            const auto code = run(*flags, typed_command(*verb));
            return code.ok() ? *code : fail(code.error());
        };
    });
}

}  // namespace plimsoll::cli

#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "plimsoll/base/exit_codes.h"
#include "plimsoll/base/format.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/torch/torch_commands.h"
#include "plimsoll/cli/torch/train_text.h"
#include "plimsoll/cli/torch/train_trunk.h"
#include "plimsoll/store/run_folder.h"

namespace plimsoll::cli {
namespace {

struct TrainFlags {
    std::vector<std::string> files, overrides;
    std::string device = "cpu", runs;
    std::vector<std::int64_t> trunk;
    bool json = false, plot = false, tensorboard = false, alone = false;
};

volatile std::sig_atomic_t told_to_stop = 0;

// The first signal asks for a checkpoint; a second Ctrl-C ends the program as usual.
void ask_to_stop(int signal) {
    told_to_stop = 1;
    std::signal(signal, signal == SIGINT ? SIG_DFL : SIG_IGN);
}

void listen_for_signals() {
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) std::signal(signal, ask_to_stop);
}

train::TrainOptions options_of(const TrainFlags& flags, TrainLine& line) {
    train::TrainOptions options;
    options.runs = runs_folder(flags.runs);
    options.device = flags.device;
    options.tensorboard = flags.tensorboard;
    options.alone = flags.alone;
    options.stop = [] { return told_to_stop != 0; };
    options.tell = [&line](const train::TrainProgress& progress) { line.show(progress); };
    options.command = {"plimsoll", "train"};
    options.command.insert(options.command.end(), flags.files.begin(), flags.files.end());
    options.command.insert(options.command.end(), {"--device", flags.device});
    for (const auto& one : flags.overrides) options.command.insert(options.command.end(), {"--set", one});
    ask_for_trunk(options, flags.trunk, flags.files.size());
    return options;
}

// A run that diverged is the answer "no": exit code 1.
int failed(const Error& error) {
    const int code = fail(error);
    return error.where == "train" ? 1 : code;
}

using Configs = std::vector<run::RunConfig>;
using Results = std::vector<Result<train::RunSummary>>;

Result<Configs> configs_of(const TrainFlags& flags) {
    Configs configs;
    for (const auto& file : flags.files) {
        PLIMSOLL_ASSIGN(config, config_to_train(file, flags.overrides, flags.trunk));
        configs.push_back(std::move(config));
    }
    return configs;
}

Results trained(const Configs& configs, const TrainFlags& flags) {
    TrainLine line;
    listen_for_signals();
    return train::train_stack(configs, options_of(flags, line));
}

// Exit codes of a stack: that of the first member that failed, else whether one was stopped.
int code_of(const Results& results) {
    int code = 0;
    for (const auto& result : results) {
        if (!result.ok()) return failed(result.error());
        if (result->stopped) code = exit_stopped;
    }
    return code;
}

int show_stack(const Configs& configs, const Results& results, bool json) {
    if (json)
        print_json(stack_json(configs, results));
    else
        print_stack(configs, results);
    return code_of(results);
}

int show_one(const Result<train::RunSummary>& summary, const TrainFlags& flags) {
    if (!summary.ok()) return failed(summary.error());
    const int code = summary->stopped ? exit_stopped : 0;
    if (summary->rank > 0) return code;  // the first process speaks for all
    if (flags.json) {
        print_json(summary_json(*summary));
        return code;
    }
    if (print_early_end(*summary, flags.trunk)) return code;
    print_summary(*summary);
    const auto rows =
        flags.plot ? store::read_metrics(summary->folder) : Result<std::vector<Json>>(std::vector<Json>());
    if (flags.plot && rows.ok()) fmt::print("\n{}", loss_plot(*rows, 64, 12));
    return 0;
}

int run_train(const TrainFlags& flags) {
    const auto configs = configs_of(flags);
    if (!configs.ok()) return failed(configs.error());
    const Results results = trained(*configs, flags);
    return results.size() == 1 ? show_one(results.front(), flags) : show_stack(*configs, results, flags.json);
}

}  // namespace

void add_train(CLI::App& app, Action& action) {
    auto flags = std::make_shared<TrainFlags>();
    auto* verb = app.add_subcommand("train", "train the run of a run.toml, or go on with it");
    verb->add_option(
            "config", flags->files,
            "run.toml; docs/RUNS.md has every key. Several train together, as one program: they share "
            "network, data and batch")
        ->required();
    verb->add_option("--set", flags->overrides,
                     "key=value over the files, once or more: --set optimizer.lr=3e-4")
        ->allow_extra_args(false);
    verb->add_option("--device", flags->device, "cpu, cuda or cuda:1")->capture_default_str();
    verb->add_option("--runs", flags->runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
    auto* trunk = verb->add_option(
        "--trunk", flags->trunk, "train what wsd runs of several lengths share; keep these steps: 900,1900");
    trunk->delimiter(',')->allow_extra_args(false);
    verb->add_flag("--alone", flags->alone, "one process, whatever srun, mpirun or torchrun says");
    verb->add_flag("--tensorboard", flags->tensorboard, "also write an event file");
    verb->add_flag("--plot", flags->plot, "plot the training loss at the end");
    verb->add_flag("--json", flags->json, "for programs");
    verb->footer(
        "MFU in the live line is the run's FLOP/s (as plimsoll count has them) as a share of what one\n"
        "large matrix product reaches here in the run's precision, measured when the session starts.");
    verb->callback([&action, flags] { action = [flags] { return run_train(*flags); }; });
}

}  // namespace plimsoll::cli

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
#include "plimsoll/store/run_folder.h"

namespace plimsoll::cli {
namespace {

struct TrainFlags {
    std::string file, device = "cpu", runs;
    std::vector<std::string> overrides;
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
    options.command = {"plimsoll", "train", flags.file, "--device", flags.device};
    for (const auto& one : flags.overrides) options.command.insert(options.command.end(), {"--set", one});
    return options;
}

// A run that diverged is the answer "no": exit code 1.
int failed(const Error& error) {
    const int code = fail(error);
    return error.where == "train" ? 1 : code;
}

Result<train::RunSummary> run_it(const TrainFlags& flags) {
    PLIMSOLL_ASSIGN(config, run::read_run_config(flags.file, flags.overrides));
    TrainLine line;
    listen_for_signals();
    return train::train(config, options_of(flags, line));
}

int run_train(const TrainFlags& flags) {
    const auto summary = run_it(flags);
    if (!summary.ok()) return failed(summary.error());
    const int code = summary->stopped ? exit_stopped : 0;
    if (summary->rank > 0) return code;  // the first process speaks for all
    if (summary->stopped && !flags.json) {
        fmt::print("run {}: stopped at step {}, with a checkpoint; the same command goes on\n", summary->id,
                   summary->step);
        return code;
    }
    if (flags.json) {
        print_json(summary_json(*summary));
        return code;
    }
    print_summary(*summary);
    const auto rows =
        flags.plot ? store::read_metrics(summary->folder) : Result<std::vector<Json>>(std::vector<Json>());
    if (flags.plot && rows.ok()) fmt::print("\n{}", loss_plot(*rows, 64, 12));
    return 0;
}

}  // namespace

void add_train(CLI::App& app, Action& action) {
    auto flags = std::make_shared<TrainFlags>();
    auto* verb = app.add_subcommand("train", "train the run of a run.toml, or go on with it");
    verb->add_option("config", flags->file, "run.toml; docs/RUNS.md has every key")->required();
    verb->add_option("--set", flags->overrides,
                     "key=value over the file, once or more: --set optimizer.lr=3e-4")
        ->allow_extra_args(false);
    verb->add_option("--device", flags->device, "cpu, cuda or cuda:1")->capture_default_str();
    verb->add_option("--runs", flags->runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
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

#include <algorithm>
#include <csignal>
#include <filesystem>
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
#include "plimsoll/cli/torch_flags/torch_flags.h"
#include "plimsoll/store/run_folder.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

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
    return fail(error, error.where == "train" ? 1 : static_cast<int>(error.kind));
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
        print_json("train-stack", stack_json(configs, results));
    else
        print_stack(configs, results);
    return code_of(results);
}

int show_one(const Result<train::RunSummary>& summary, const TrainFlags& flags) {
    if (!summary.ok()) return failed(summary.error());
    const int code = summary->stopped ? exit_stopped : 0;
    if (summary->rank > 0) return code;  // the first process speaks for all
    if (flags.json) {
        print_json("train", summary_json(*summary));
        return code;
    }
    if (print_early_end(*summary, flags.trunk)) return code;
    print_summary(*summary);
    const auto rows =
        flags.plot ? store::read_metrics(summary->folder) : Result<std::vector<Json>>(std::vector<Json>());
    if (flags.plot && rows.ok()) fmt::print("\n{}", loss_plot(*rows, 64, 12));
    return 0;
}

// The folders that these runs would make: those that are not there yet.
std::vector<fs::path> fresh_folders(const Configs& configs, const fs::path& runs) {
    std::vector<fs::path> folders;
    for (const auto& config : configs) {
        const fs::path folder = runs / store::run_id(run::to_toml(config));
        std::error_code ignored;
        if (!fs::exists(folder, ignored)) folders.push_back(folder);
    }
    return folders;
}

// A config that was refused before its first step is no run: it leaves no folder.
void forget_refused(const std::vector<fs::path>& fresh, const Results& results) {
    const bool refused = std::ranges::all_of(results, [](const auto& result) {
        return !result.ok() && result.error().where != "train" && result.error().kind != ErrorKind::io;
    });
    for (const auto& folder : fresh) {
        std::error_code ignored;
        const auto rows = store::read_metrics(folder);
        if (refused && (!rows.ok() || rows->empty())) fs::remove_all(folder, ignored);
    }
}

int run_train(const TrainFlags& flags) {
    const auto configs = configs_of(flags);
    if (!configs.ok()) return failed(configs.error());
    const auto fresh = fresh_folders(*configs, runs_folder(flags.runs));
    const Results results = trained(*configs, flags);
    forget_refused(fresh, results);
    return results.size() == 1 ? show_one(results.front(), flags) : show_stack(*configs, results, flags.json);
}

}  // namespace

void add_train(CLI::App& app, Action& action) {
    auto flags = std::make_shared<TrainFlags>();
    auto* verb = add_train_verb(app, *flags);
    verb->callback([&action, flags] { action = [flags] { return run_train(*flags); }; });
}

}  // namespace plimsoll::cli

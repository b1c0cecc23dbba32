#include <memory>

#include <CLI/CLI.hpp>

#include "plimsoll/base/format.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/torch/torch_commands.h"
#include "plimsoll/cli/torch/train_text.h"

namespace plimsoll::cli {
namespace {

struct EvalFlags {
    std::string run, runs;
    train::EvaluateOptions options;
    bool json = false;
};

Result<int> run_eval(const EvalFlags& flags) {
    PLIMSOLL_ASSIGN(folder, find_run_folder(flags.run, flags.runs));
    PLIMSOLL_ASSIGN(evaluation, train::evaluate(folder, flags.options));
    if (flags.json) {
        Json result{{"split", evaluation.split}};
        result.update(to_json(evaluation));
        print_json(result);
    } else {
        fmt::print("{}, {}: {}\n\n", folder.string(),
                   flags.options.data.empty() ? "its own data" : flags.options.data, evaluation.split);
        print_evaluation(evaluation);
    }
    return 0;
}

}  // namespace

void add_eval(CLI::App& app, Action& action) {
    auto flags = std::make_shared<EvalFlags>();
    auto* verb = app.add_subcommand("eval", "loss, bits per byte and accuracy of a trained run");
    verb->add_option("run", flags->run, named_run)->required();
    verb->add_option("--data", flags->options.data,
                     "another data set than the run's, read with the run's tokenizer");
    verb->add_option(
        "--split", flags->options.split,
        "train, validation, all or a split of the set (default: what the run held out; of another set "
        "its validation or test split, else all)");
    verb->add_option("--stride", flags->options.stride,
                     "text: start windows so many tokens apart, count only what is new (1: as WIES-TAB1)");
    verb->add_option("--batch", flags->options.batch, "examples at a time (default: the run's)");
    verb->add_option("--device", flags->options.device, "cpu, cuda or cuda:1")->capture_default_str();
    verb->add_option("--runs", flags->runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
    verb->add_flag("--json", flags->json, "for programs");
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run_eval(*flags)); }; });
}

}  // namespace plimsoll::cli

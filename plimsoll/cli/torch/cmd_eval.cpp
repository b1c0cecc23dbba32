#include <memory>

#include <CLI/CLI.hpp>

#include "plimsoll/base/format.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/torch/torch_commands.h"
#include "plimsoll/cli/torch/train_text.h"
#include "plimsoll/cli/torch_flags/torch_flags.h"

namespace plimsoll::cli {
namespace {

Result<int> run_eval(const EvalFlags& flags) {
    PLIMSOLL_ASSIGN(folder, find_run_folder(flags.run, flags.runs));
    PLIMSOLL_ASSIGN(evaluation, train::evaluate(folder, flags.options));
    if (flags.json) {
        Json result{{"split", evaluation.split}};
        result.update(to_json(evaluation));
        print_json("eval", result);
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
    auto* verb = add_eval_verb(app, *flags);
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run_eval(*flags)); }; });
}

}  // namespace plimsoll::cli

#include "plimsoll/cli/torch/train_trunk.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/run/trunk.h"

namespace plimsoll::cli {
namespace {

// In ascending order, each once.
Steps ascending(Steps steps) {
    std::ranges::sort(steps);
    const auto [first, last] = std::ranges::unique(steps);
    steps.erase(first, last);
    return steps;
}

}  // namespace

Result<run::RunConfig> config_to_train(const std::string& file, const std::vector<std::string>& overrides,
                                       const Steps& steps) {
    PLIMSOLL_ASSIGN(config, run::read_run_config(file, overrides));
    if (std::ranges::any_of(steps, [](std::int64_t step) { return step < 1; }))
        return bad_input("--trunk", "steps must be 1 or more, got " + steps_text(steps));
    if (steps.empty() || run::is_trunk(config)) return config;
    if (const auto trunk = run::trunk_of(config)) return *trunk;
    return bad_input(file,
                     "has no trunk: --trunk needs schedule.kind = \"wsd\" and schedule.share_trunk = true");
}

void ask_for_trunk(train::TrainOptions& options, const Steps& steps, std::size_t runs) {
    if (steps.empty()) return;
    options.command.insert(options.command.end(), {"--trunk", steps_text(steps)});
    options.keep.assign(runs, ascending(steps));
}

std::string steps_text(const Steps& steps) {
    std::string text;
    for (const std::int64_t step : steps) text += (text.empty() ? "" : ",") + std::to_string(step);
    return text;
}

bool print_early_end(const train::RunSummary& summary, const Steps& trunk) {
    if (summary.stopped)
        fmt::print("run {}: stopped at step {}, with a checkpoint; the same command resumes\n", summary.id,
                   summary.step);
    else if (!trunk.empty())
        fmt::print("trunk {}, step {}; checkpoints requested: {}\n", summary.id, summary.step,
                   steps_text(ascending(trunk)));
    return summary.stopped || !trunk.empty();
}

std::string branch_text(const train::RunSummary& summary) {
    if (!summary.branch || summary.branch->step == 0) return "";
    return fmt::format(", from step {} of the trunk {}", summary.branch->step, summary.branch->trunk);
}

}  // namespace plimsoll::cli

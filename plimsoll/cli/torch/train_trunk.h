#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/run/run_config.h"
#include "plimsoll/train/train.h"

// Trunks by hand: plimsoll train run.toml --trunk 1000,2000.
namespace plimsoll::cli {

using Steps = std::vector<std::int64_t>;

// The config of a file; with steps of a trunk that of its trunk, or its own when it is one. `bad_input` when
// it has none.
Result<run::RunConfig> config_to_train(const std::string& file, const std::vector<std::string>& overrides,
                                       const Steps& trunk);

// Asks for the checkpoints of these steps of `runs` trunks, as the command says it; without steps for
// nothing.
void ask_for_trunk(train::TrainOptions& options, const Steps& steps, std::size_t runs);

// "1000,2000".
std::string steps_text(const Steps& steps);

// Says how far a run is that was stopped, or a trunk; whether it was one of them.
bool print_early_end(const train::RunSummary& summary, const Steps& trunk);

// ", from step 2000 of the trunk ID" for a branch that used one, otherwise nothing.
std::string branch_text(const train::RunSummary& summary);

}  // namespace plimsoll::cli

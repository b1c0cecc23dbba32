#pragma once

#include "plimsoll/cli/commands.h"

// The verbs of plimsoll-torch.
namespace plimsoll::cli {

void add_numeric_rank(CLI::App& app, Action& action);
void add_probe(CLI::App& app, Action& action);
void add_train(CLI::App& app, Action& action);
void add_eval(CLI::App& app, Action& action);
void add_sample(CLI::App& app, Action& action);
void add_worker(CLI::App& app, Action& action);

}  // namespace plimsoll::cli

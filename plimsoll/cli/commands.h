#pragma once

#include <functional>

#include "plimsoll/base/result.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

// What the chosen verb will do once the flags are parsed; returns the exit code.
using Action = std::function<int()>;

// Each adds one verb with its flags to `app` and, when the user chose it, sets `action`.
void add_advise(CLI::App& app, Action& action);
void add_audit(CLI::App& app, Action& action);
void add_bounds(CLI::App& app, Action& action);
void add_capacity(CLI::App& app, Action& action);
void add_count(CLI::App& app, Action& action);
void add_data(CLI::App& app, Action& action);
void add_doctor(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_rank(CLI::App& app, Action& action);
void add_sweep(CLI::App& app, Action& action);
void add_sweep_slurm(CLI::App& sweep, Action& action);  // status, cancel and the tasks of `sweep run --slurm`
void add_tokenize(CLI::App& app, Action& action);
void add_torch_verbs(CLI::App& app, Action& action);  // train, eval, sample: plimsoll-torch answers them
void add_verify(CLI::App& app, Action& action);
void add_zoo(CLI::App& app, Action& action);

}  // namespace plimsoll::cli

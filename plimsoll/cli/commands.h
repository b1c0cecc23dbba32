#pragma once

#include <functional>
#include <string>
#include <vector>

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
void add_completion(CLI::App& app, Action& action);
void add_count(CLI::App& app, Action& action);
void add_data(CLI::App& app, Action& action);
void add_doctor(CLI::App& app, Action& action);
void add_evidence(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_fit(CLI::App& app, Action& action);
void add_help(CLI::App& app, Action& action);
void add_rank(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, Action& action);
void add_runs(CLI::App& app, Action& action);
void add_serve(CLI::App& app, Action& action);
void add_site(CLI::App& app, Action& action);
void add_sweep(CLI::App& app, Action& action);
void add_tokenize(CLI::App& app, Action& action);
void add_torch_verbs(CLI::App& app, Action& action);  // train, eval, ...: plimsoll-torch answers them
void add_verify(CLI::App& app, Action& action);
void add_version(CLI::App& app, Action& action);
void add_zoo(CLI::App& app, Action& action);

// The words behind the program's name when plimsoll-torch answers them although it has no verb of its own
// for them, as `rank --numeric`; empty otherwise.
std::vector<std::string> words_for_torch(int argc, const char* const* argv);

}  // namespace plimsoll::cli

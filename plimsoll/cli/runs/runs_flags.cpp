#include "plimsoll/cli/runs/runs_flags.h"

#include <algorithm>

#include <CLI/CLI.hpp>

namespace plimsoll::cli {
namespace {

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
    return std::ranges::find(names, name) != names.end();
}

void add_query(CLI::App& verb, RunsFlags& flags) {
    verb.add_option("--where", flags.query.where,
                    "KEY OP VALUE with = != < <= > >= ~ (contains), as 'loss<0.5'; all must hold")
        ->allow_extra_args(false);
    verb.add_option("--sort", flags.query.sort, "a key; -KEY from the largest");
    verb.add_option("--limit", flags.query.limit, "maximum number of runs");
}

void add_prune(CLI::App& verb, RunsFlags& flags) {
    verb.add_flag("--checkpoints", flags.choice.checkpoints,
                  "remove only checkpoints (default: those of finished runs)");
    verb.add_flag("--failed", flags.choice.failed, "choose runs that failed");
    verb.add_flag("--unfinished", flags.choice.unfinished, "choose unfinished runs that no process holds");
    verb.add_flag("--yes", flags.yes, "remove them; without this flag nothing is removed");
}

}  // namespace

void add_runs_flags(CLI::App& verb, RunsFlags& flags) {
    const std::string name = verb.get_name();
    if (is_one_of(name, {"show", "diff"}))
        verb.add_option("run", flags.first, "id, start of an id, or name")->required();
    if (name == "diff") verb.add_option("other", flags.second, "the run to compare it with")->required();
    if (name == "export") verb.add_option("format", flags.format, "csv or json")->required();
    if (name == "import") verb.add_option("folder", flags.from, "another folder of runs")->required();
    verb.add_option("--runs", flags.runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
    if (is_one_of(name, {"list", "export", "prune"})) add_query(verb, flags);
    if (is_one_of(name, {"list", "export"}))
        verb.add_option("--columns", flags.columns, "keys to show, as id,lr,loss (default: the usual ones)");
    if (name == "export") {
        verb.add_flag("--metrics", flags.metrics, "every row of metrics.jsonl instead of a row per run");
        verb.add_option("--out", flags.out, "file to write (default: the terminal)");
    } else {
        verb.add_flag("--json", flags.json, "for programs");
    }
    if (name == "import") verb.add_flag("--dry-run", flags.dry_run, "only print what would happen");
    if (name == "prune") add_prune(verb, flags);
    if (!is_one_of(name, {"reindex", "import"}))
        verb.add_flag("--no-index", flags.no_index, "read the folders without index.sqlite");
}

}  // namespace plimsoll::cli

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/runs/runs_flags.h"
#include "plimsoll/cli/runs/runs_text.h"
#include "plimsoll/store/run_export.h"
#include "plimsoll/store/run_list.h"

namespace plimsoll::cli {
namespace {

Result<int> run_list(const RunsFlags& flags) {
    PLIMSOLL_ASSIGN(table, flags.table());
    PLIMSOLL_ASSIGN(columns, columns_named(table, flags.columns));
    PLIMSOLL_ASSIGN(all, store::run_ids(flags.folder()));
    if (flags.json) return print_json("runs", store::table_json(table, columns)), 0;
    return print_runs(table, columns, all.size()), 0;
}

Result<int> run_show(const RunsFlags& flags) {
    PLIMSOLL_ASSIGN(table, flags.table());
    PLIMSOLL_ASSIGN(row, row_named(table, flags.first, flags.folder()));
    const auto folder = flags.folder() / row.id;
    if (flags.json) return print_json("run", run_json(table, row, folder)), 0;
    return print_run(table, row, folder), 0;
}

Result<int> run_diff(const RunsFlags& flags) {
    PLIMSOLL_ASSIGN(table, flags.table());
    PLIMSOLL_ASSIGN(first, row_named(table, flags.first, flags.folder()));
    PLIMSOLL_ASSIGN(second, row_named(table, flags.second, flags.folder()));
    if (flags.json) return print_json("run-diff", run_diff_json(table, first, second)), 0;
    return print_run_diff(table, first, second), 0;
}

Result<std::string> exported(const RunsFlags& flags, const store::RunTable& table) {
    const auto dumped = [](const Json& json) {
        return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
    };
    if (flags.metrics && flags.format == "csv") return store::metrics_csv(flags.folder(), table);
    if (flags.metrics) {
        PLIMSOLL_ASSIGN(json, store::metrics_json(flags.folder(), table));
        return dumped(json);
    }
    PLIMSOLL_ASSIGN(columns, columns_named(table, flags.columns));
    if (flags.format == "csv") return store::table_csv(table, columns);
    return dumped(store::table_json(table, columns));
}

Result<int> run_export(const RunsFlags& flags) {
    const std::vector<std::string> formats{"csv", "json"};
    if (flags.format != "csv" && flags.format != "json")
        return bad_input("format", "unknown '" + flags.format + "'" + suggestion(flags.format, formats));
    PLIMSOLL_ASSIGN(table, flags.table());
    PLIMSOLL_ASSIGN(text, exported(flags, table));
    if (flags.out.empty()) return fmt::print("{}", text), 0;
    PLIMSOLL_RETURN_IF_ERROR(atomic_write(flags.out, text));
    fmt::print("{}: {}, {}\n", flags.out, run_count(table.rows.size()),
               human_bytes(static_cast<double>(text.size())));
    return 0;
}

Result<int> run_import(const RunsFlags& flags) {
    ProgressBar bar("importing");
    PLIMSOLL_ASSIGN(all, store::import_runs(flags.from, flags.folder(), {flags.dry_run, bar.callback()}));
    if (!flags.json) return print_import(all, flags.dry_run);
    print_json("runs-import", import_json(all));
    return std::ranges::count(all, store::Imported::conflict, &store::ImportedRun::outcome) > 0 ? 1 : 0;
}

Result<int> run_prune(const RunsFlags& flags) {
    PLIMSOLL_ASSIGN(table, flags.table());
    PLIMSOLL_ASSIGN(chosen, runs_to_prune(table, flags.choice, !flags.query.where.empty()));
    const auto what = flags.choice.checkpoints ? store::Prune::checkpoints : store::Prune::runs;
    const auto all = flags.yes ? store::prune(flags.folder(), chosen, what)
                               : store::plan_prune(flags.folder(), chosen, what);
    if (flags.json) return print_json("runs-prune", prune_json(all, flags.yes)), 0;
    return print_prune(all, chosen, what, flags.yes), 0;
}

Result<int> run_reindex(const RunsFlags& flags) {
    ProgressBar bar("reading runs");
    PLIMSOLL_ASSIGN(table,
                    store::reindex(flags.folder(), {.derive = spec_facts(), .progress = bar.callback()}));
    if (flags.json)
        return print_json("runs-index", {{"runs", table.rows.size()}, {"keys", table.keys.size()}}), 0;
    fmt::print("{}: {}, {} keys\n", (flags.folder() / "index.sqlite").string(), run_count(table.rows.size()),
               table.keys.size());
    return 0;
}

struct RunsVerb {
    const char* name;
    const char* meaning;
    Result<int> (*run)(const RunsFlags&);
};

constexpr std::array runs_verbs{
    RunsVerb{"list", "list the runs of a folder, filtered and sorted", run_list},
    RunsVerb{"show", "show one run: settings, state, numbers, loss, log", run_show},
    RunsVerb{"diff", "compare two runs: settings and final numbers", run_diff},
    RunsVerb{"export", "export a row per run, or every row of metrics", run_export},
    RunsVerb{"import", "copy the runs of another folder into this one", run_import},
    RunsVerb{"prune", "remove runs or checkpoints; without --yes only list them", run_prune},
    RunsVerb{"reindex", "rebuild index.sqlite from the files", run_reindex},
};

}  // namespace

void add_runs(CLI::App& app, Action& action) {
    auto flags = std::make_shared<RunsFlags>();
    auto* verb = app.add_subcommand("runs", "list, compare, export, import and prune runs; docs/RUNS.md");
    verb->require_subcommand(1);
    for (const RunsVerb& one : runs_verbs) {
        auto* inner = verb->add_subcommand(one.name, one.meaning);
        add_runs_flags(*inner, *flags);
        inner->callback(
            [&action, flags, run = one.run] { action = [flags, run] { return exit_code_of(run(*flags)); }; });
    }
}

}  // namespace plimsoll::cli

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "plimsoll/audit/models/target_name.h"
#include "plimsoll/base/format.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/zoo/zoo_text.h"

namespace plimsoll::cli {
namespace {

struct ZooFlags {
    std::vector<std::string> names, filters;
    std::string sort;
    bool json = false, csv = false;
};

// What a name means where it is no model of the zoo.
Error not_in_zoo(const std::string& name, const Error& error) {
    const auto meaning = find_meaning(name, target::Use::shape);
    if (!meaning.ok()) return error;
    return unsupported(name,
                       fmt::format("is {}; plimsoll audit {} judges it, plimsoll zoo lists published models",
                                   target::words(*meaning), name));
}

// A model of the zoo by its name, or by the last part of its id on the Hugging Face hub.
Result<const audit::ZooRow*> row_named(const std::string& name) {
    auto row = audit::find_in_zoo(name);
    const auto slash = name.rfind('/');
    std::error_code ignored;
    if (row.ok() || slash == std::string::npos || std::filesystem::exists(name, ignored)) return row;
    auto by_id = audit::find_in_zoo(name.substr(slash + 1));
    return by_id.ok() ? std::move(by_id) : std::move(row);
}

Result<std::vector<const audit::ZooRow*>> rows_named(const std::vector<std::string>& names) {
    std::vector<const audit::ZooRow*> rows;
    for (const auto& name : names) {
        const auto row = row_named(name);
        if (!row.ok()) return not_in_zoo(name, row.error());
        rows.push_back(*row);
    }
    return rows;
}

Result<std::vector<const audit::ZooRow*>> rows_asked_for(const ZooFlags& flags) {
    if (flags.names.empty()) return audit::select_zoo(flags.filters, flags.sort);
    if (!flags.filters.empty() || !flags.sort.empty())
        return bad_input("name", "not together with --filter and --sort");
    return rows_named(flags.names);
}

Result<int> run_zoo(const ZooFlags& flags) {
    if (flags.json && flags.csv) return bad_input("json", "not together with --csv");
    PLIMSOLL_ASSIGN(rows, rows_asked_for(flags));
    if (flags.json) {
        print_json("zoo", zoo_json(rows));
    } else if (flags.csv) {
        print_zoo_csv(rows);
    } else if (flags.names.size() == 1) {
        print_zoo_row(*rows.front());
    } else {
        print_zoo(rows);
    }
    return 0;
}

}  // namespace

void add_zoo(CLI::App& app, Action& action) {
    auto flags = std::make_shared<ZooFlags>();
    auto* verb = app.add_subcommand("zoo", "published models: their shapes, and how each is known");
    verb->add_option("name", flags->names, "models of the zoo; one alone is shown with all that is known");
    verb->add_option("--filter", flags->filters,
                     "key=value, key>number, key<number or a text; all must hold");
    verb->add_option("--sort", flags->sort, "a column; -column from the largest");
    verb->add_flag("--json", flags->json, "for programs");
    verb->add_flag("--csv", flags->csv, "for spreadsheets");
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run_zoo(*flags)); }; });
}

}  // namespace plimsoll::cli

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "plimsoll/audit/models/zoo.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/zoo/zoo_text.h"

namespace plimsoll::cli {
namespace {

struct ZooFlags {
    std::vector<std::string> filters;
    std::string sort;
    bool json = false, csv = false;
};

Result<int> run_zoo(const ZooFlags& flags) {
    if (flags.json && flags.csv) return bad_input("json", "not together with --csv");
    PLIMSOLL_ASSIGN(rows, audit::select_zoo(flags.filters, flags.sort));
    if (flags.json) {
        print_json(zoo_json(rows));
    } else if (flags.csv) {
        print_zoo_csv(rows);
    } else {
        print_zoo(rows);
    }
    return 0;
}

}  // namespace

void add_zoo(CLI::App& app, Action& action) {
    auto flags = std::make_shared<ZooFlags>();
    auto* verb = app.add_subcommand("zoo", "published models: their shapes, and how each is known");
    verb->add_option("--filter", flags->filters,
                     "key=value, key>number, key<number or a text; all must hold");
    verb->add_option("--sort", flags->sort, "a column; -column from the largest");
    verb->add_flag("--json", flags->json, "for programs");
    verb->add_flag("--csv", flags->csv, "for spreadsheets");
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run_zoo(*flags)); }; });
}

}  // namespace plimsoll::cli

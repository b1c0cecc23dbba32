#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "plimsoll/base/format.h"
#include "plimsoll/base/progress.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/server/site.h"

namespace plimsoll::cli {
namespace {

struct SiteFlags {
    std::string folder;
    bool force = false, json = false;
};

Result<int> run_site(const SiteFlags& flags) {
    if (flags.folder.empty()) return bad_input("folder", "missing: where to write the site");
    ProgressBar bar("writing the site");
    PLIMSOLL_ASSIGN(report, server::write_site({flags.folder, flags.force, bar.callback()}));
    if (flags.json)
        return print_json("site",
                          {{"folder", flags.folder}, {"files", report.files}, {"bytes", report.bytes}}),
               0;
    fmt::print("{}/index.html: {} files, {}. Open it, or put the folder on any web server.\n", flags.folder,
               report.files, human_bytes(static_cast<double>(report.bytes)));
    return 0;
}

}  // namespace

void add_site(CLI::App& app, Action& action) {
    auto flags = std::make_shared<SiteFlags>();
    auto* verb = app.add_subcommand("site", "the page of serve as files that need no server; docs/SERVE.md");
    verb->add_option("folder", flags->folder, "where to write it");
    verb->add_flag("--force", flags->force, "write into a folder that has something in it");
    verb->add_flag("--json", flags->json, "for programs");
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run_site(*flags)); }; });
}

}  // namespace plimsoll::cli

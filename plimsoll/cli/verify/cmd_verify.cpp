#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "plimsoll/base/busy_line.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/progress.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/verify/verdict_cases.h"
#include "plimsoll/cli/verify/verify_text.h"

namespace plimsoll::cli {
namespace {

struct VerifyFlags {
    std::vector<std::string> claims;
    std::string effort = "quick", vega;
    bool json = false;
};

Result<std::vector<verify::ClaimReport>> try_all(const std::vector<const verify::Claim*>& claims,
                                                 verify::Effort effort) {
    verify::Measurements measurements({});
    std::vector<verify::ClaimReport> reports;
    BusyLine bar("verifying");
    for (const verify::Claim* claim : claims) {
        // A thousand steps a claim: how long the next claim takes is not known.
        const auto progress = [&](std::uint64_t done, std::uint64_t total) {
            bar.update(1000 * reports.size() + 1000 * done / total, 1000 * claims.size());
        };
        PLIMSOLL_ASSIGN(report, put_to_the_test(*claim, effort, measurements, progress));
        reports.push_back(report);
    }
    return reports;
}

Result<int> run_verify(const VerifyFlags& flags) {
    PLIMSOLL_ASSIGN(effort, verify::parse_effort(flags.effort));
    PLIMSOLL_ASSIGN(claims, verify::find_claims(flags.claims));
    PLIMSOLL_ASSIGN(reports, try_all(claims, effort));
    if (!flags.vega.empty()) {
        PLIMSOLL_ASSIGN(cases, verdict_cases(reports));
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(flags.vega, report::verdicts_vega(cases).dump(2) + "\n"));
    }
    if (flags.json) print_json("verdicts", verdicts_json(effort, reports));
    if (!flags.json) print_verdicts(effort, reports);
    return all_as_expected(reports) ? 0 : 1;
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
    auto flags = std::make_shared<VerifyFlags>();
    auto* verb = app.add_subcommand("verify", "test the papers' theorems and ours by exact measurements");
    verb->add_option("--claim", flags->claims,
                     "an id such as LEVINE-T4, or NAVON for all of a paper (default: all)");
    verb->add_option("--effort", flags->effort, "quick (under a minute), normal (minutes) or deep")
        ->capture_default_str();
    verb->add_option("--vega", flags->vega,
                     "write a Vega-Lite figure of claimed and measured values to this file");
    verb->add_flag("--json", flags->json, "for programs");
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run_verify(*flags)); }; });
}

}  // namespace plimsoll::cli

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "plimsoll/audit/diagnose.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/audit_text.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"

namespace plimsoll::cli {
namespace {

using audit::Report;
using audit::Severity;

struct Flags {
    std::vector<std::string> targets;
    std::string context;
    bool json = false, markdown = false, strict = false, explain = false;
};

struct Outcome {
    std::vector<Report> reports;
    Json objects = Json::array();  // one per target, failed ones too
    int exit_code = 0;             // of the first error
};

Result<audit::DiagnoseOptions> options_of(const Flags& flags) {
    audit::DiagnoseOptions options;
    if (flags.json && flags.markdown) return bad_input("json", "not together with --markdown");
    if (flags.context.empty()) return options;
    PLIMSOLL_ASSIGN(context, parse_count(flags.context, "context"));
    if (context < 1) return bad_input("context", "must be at least 1, got 0");
    options.context = context;
    return options;
}

Outcome audit_all(const Flags& flags, const audit::DiagnoseOptions& options) {
    Outcome outcome;
    for (const auto& name : flags.targets) {
        const auto target = audit::open_target(name);
        if (target.ok()) {
            outcome.reports.push_back(audit::diagnose(*target, options));
            outcome.objects.push_back(to_json(outcome.reports.back()));
            continue;
        }
        const int code = fail(target.error());
        if (outcome.exit_code == 0) outcome.exit_code = code;
        outcome.objects.push_back(failed_target_json(name, target.error()));
    }
    return outcome;
}

void show(const Flags& flags, const Outcome& outcome) {
    const bool single = flags.targets.size() == 1;
    if (single && outcome.reports.empty()) return;
    if (flags.json) return print_json(single ? outcome.objects.front() : outcome.objects);
    if (flags.markdown) {
        for (const auto& report : outcome.reports) fmt::print("{}", to_markdown(report));
        return;
    }
    if (single) return print_report(outcome.reports.front(), flags.explain);
    if (!outcome.reports.empty()) print_comparison(outcome.reports);
}

Result<int> run_audit(const Flags& flags) {
    PLIMSOLL_ASSIGN(options, options_of(flags));
    const Outcome outcome = audit_all(flags, options);
    show(flags, outcome);
    if (outcome.exit_code != 0) return outcome.exit_code;
    std::size_t severe = 0;
    for (const auto& report : outcome.reports) severe += report.count(Severity::severe);
    return flags.strict && severe > 0 ? 1 : 0;
}

}  // namespace

void add_audit(CLI::App& app, Action& action) {
    auto flags = std::make_shared<Flags>();
    auto* verb = app.add_subcommand("audit", "is this model bottlenecked, and where?");
    verb->add_option("target", flags->targets,
                     "a name of the zoo, a config.json, a folder, a .safetensors or a .gguf")
        ->required();
    verb->add_option("--context", flags->context, "positions N (default: the model's own)");
    verb->add_flag("--explain", flags->explain, "the sentences behind every finding");
    verb->add_flag("--strict", flags->strict, "exit 1 when a finding is severe");
    verb->add_flag("--json", flags->json, "for programs");
    verb->add_flag("--markdown", flags->markdown, "for issues and papers");
    verb->callback([&action, flags] {
        action = [flags] {
            const auto code = run_audit(*flags);
            return code.ok() ? *code : fail(code.error());
        };
    });
}

}  // namespace plimsoll::cli

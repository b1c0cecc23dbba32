#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "plimsoll/audit/diagnose.h"
#include "plimsoll/audit/weights/weight_spectra.h"
#include "plimsoll/audit/zoo_reading.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/progress.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/audit/audit_text.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/typed_input.h"

namespace plimsoll::cli {
namespace {

using audit::Report;
using audit::Severity;

struct AuditFlags {
    std::vector<std::string> targets;
    std::string runs, context, max_memory = "2G";
    bool json = false, markdown = false, strict = false, explain = false, weights = false, zoo = false;
};

struct Options {
    audit::DiagnoseOptions diagnose;
    audit::WeightOptions weights;
};

struct Outcome {
    std::vector<Report> reports;
    Json objects = Json::array();  // one per target, failed ones too
    int exit_code = 0;             // of the first error
};

Result<Options> options_of(const AuditFlags& flags) {
    Options options;
    if (flags.json && flags.markdown) return bad_input("json", "not together with --markdown");
    if (!flags.context.empty()) {
        PLIMSOLL_ASSIGN(context, parse_count(flags.context, "context"));
        if (context < 1 || context > INT32_MAX)
            return bad_input("context", fmt::format("must be 1 to {}, got {}", INT32_MAX, context));
        options.diagnose.context = context;
    }
    PLIMSOLL_ASSIGN(bytes, parse_bytes(flags.max_memory, "max-memory"));
    options.weights.max_memory = bytes;
    return options;
}

Result<Report> audit_one(const std::string& name, const AuditFlags& flags, const Options& options) {
    PLIMSOLL_ASSIGN(input, TypedInput::open(name, ".json"));
    PLIMSOLL_ASSIGN(meaning, find_meaning(input.path(), target::Use::shape, flags.runs));
    PLIMSOLL_ASSIGN(target, target::model_of(meaning));
    Report report = audit::diagnose(target, options.diagnose);
    if (!flags.weights || !target.tensors) return report;
    ProgressBar bar("spectra of " + report.shape.name);
    PLIMSOLL_ASSIGN(weights,
                    audit::weight_spectra(*target.tensors, report.shape, options.weights, bar.callback()));
    audit::add_weights(report, std::move(weights));
    return report;
}

Outcome audit_all(const AuditFlags& flags, const Options& options) {
    Outcome outcome;
    for (const auto& name : flags.targets) {
        auto report = audit_one(name, flags, options);
        if (report.ok()) {
            outcome.objects.push_back(to_json(*report));
            outcome.reports.push_back(std::move(report).value());
            continue;
        }
        const int code = flags.targets.size() == 1 ? fail(report.error()) : print_error(report.error());
        if (outcome.exit_code == 0) outcome.exit_code = code;
        outcome.objects.push_back(failed_target_json(name, report.error()));
    }
    return outcome;
}

void show(const AuditFlags& flags, const Outcome& outcome) {
    const bool single = flags.targets.size() == 1;
    if (single && outcome.reports.empty()) return;
    if (flags.json)
        return single ? print_json("audit", outcome.objects.front()) : print_json("audits", outcome.objects);
    if (flags.markdown) {
        for (const auto& report : outcome.reports) fmt::print("{}", to_markdown(report));
        return;
    }
    if (single) return print_report(outcome.reports.front(), flags.explain);
    if (!outcome.reports.empty()) print_comparison(outcome.reports);
}

Result<int> run_audit(const AuditFlags& flags) {
    if (flags.zoo && flags.targets.empty()) return fmt::print("{}", audit::zoo_reading_markdown()), 0;
    if (flags.zoo || flags.targets.empty())
        return bad_input("target", "give one or more targets, or --zoo alone");
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
    auto flags = std::make_shared<AuditFlags>();
    auto* verb = app.add_subcommand("audit", "is this model bottlenecked, and where?");
    verb->add_option("target", flags->targets,
                     std::string(named_shape) + "; - for a config.json on standard input")
        ->expected(0, -1);
    verb->add_flag("--zoo", flags->zoo, "how the depth of every model of the zoo reads, as a table");
    verb->add_option("--context", flags->context, "positions N (default: the model's own)");
    verb->add_option("--runs", flags->runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
    verb->add_flag("--weights", flags->weights,
                   "measure the spectra of embedding and layers (reads the data)");
    verb->add_option("--max-memory", flags->max_memory,
                     "bytes that --weights may use: 512M, 2G, 1.5GiB (powers of 1024), 2GB (of 1000)")
        ->capture_default_str();
    verb->add_flag("--explain", flags->explain, "the sentences behind every finding");
    verb->add_flag("--strict", flags->strict, "exit 1 when a finding is severe");
    verb->add_flag("--json", flags->json, "for programs");
    verb->add_flag("--markdown", flags->markdown, "for issues and papers");
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run_audit(*flags)); }; });
}

}  // namespace plimsoll::cli

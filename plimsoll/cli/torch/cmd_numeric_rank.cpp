#include <memory>

#include <CLI/CLI.hpp>

#include "plimsoll/base/busy_line.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/torch/probe_text.h"
#include "plimsoll/cli/torch/torch_commands.h"

namespace plimsoll::cli {
namespace {

struct NumericRankFlags {
    std::string spec, run, runs, positions, tolerance;
    probe::NumericQuestion question;
    bool numeric = false, csv = false, json = false;
};

Result<probe::Subject> measured_subject(const NumericRankFlags& flags) {
    if (!flags.run.empty() && !flags.spec.empty())
        return bad_input("run", "has its own spec; give only one of the two");
    probe::Subject subject = flags.question.subject;
    if (!flags.run.empty()) {
        PLIMSOLL_ASSIGN(folder, find_run_folder(flags.run, flags.runs));
        subject.source = folder;
        return subject;
    }
    if (flags.spec.empty())
        return bad_input("spec", "missing; a spec such as square-mixer:rows=2,cols=4,depth=2, or --run");
    PLIMSOLL_ASSIGN(spec, find_spec(flags.spec, flags.runs));
    subject.source = spec;
    return subject;
}

// Where the spec leaves positions open: few enough to be measured in a moment, as for exact ranks.
std::optional<std::int64_t> usual_positions(const arch::ArchSpec& spec) {
    constexpr std::int64_t most = 8;
    const auto* transformer = std::get_if<arch::TransformerSpec>(&spec);
    if (transformer != nullptr && !transformer->image.used()) return std::min(most, transformer->context);
    if (std::holds_alternative<arch::AttentionSpec>(spec)) return most;
    return {};
}

Result<probe::NumericQuestion> question_of(const NumericRankFlags& flags) {
    probe::NumericQuestion question = flags.question;
    PLIMSOLL_ASSIGN(subject, measured_subject(flags));
    question.subject = subject;
    question.subject.seed = question.inputs.seed;
    if (!flags.positions.empty()) {
        PLIMSOLL_ASSIGN(positions, parse_integer(flags.positions, "positions"));
        question.inputs.positions = positions;
    } else if (const auto* spec = std::get_if<arch::ArchSpec>(&subject.source)) {
        question.inputs.positions = usual_positions(*spec);
        if (const auto& chosen = question.inputs.positions)
            note(fmt::format("measured at {} positions, as --positions is not given", *chosen));
    }
    if (!flags.tolerance.empty()) {
        PLIMSOLL_ASSIGN(tolerance, parse_real(flags.tolerance, "tolerance"));
        question.tolerance = tolerance;
    }
    return question;
}

Result<probe::NumericReport> measured_rank(const NumericRankFlags& flags) {
    if (!flags.numeric) return bad_input("numeric", "missing; exact ranks are measured by plimsoll rank");
    PLIMSOLL_ASSIGN(question, question_of(flags));
    BusyLine bar("measuring");
    return probe::measure_numeric_rank(question, bar.callback());
}

int run_numeric_rank(const NumericRankFlags& flags) {
    const auto report = measured_rank(flags);
    if (!report.ok()) return fail(report.error());
    if (flags.json)
        print_json("numeric-rank", to_json(*report));
    else if (flags.csv)
        fmt::print("{}", probe::to_csv(*report));
    else
        print_numeric_rank(*report);
    return 0;
}

void add_measured_flags(CLI::App& verb, NumericRankFlags& flags) {
    verb.add_option("spec", flags.spec, "a network with fresh weights, as for plimsoll count");
    verb.add_option("--run", flags.run, named_run);
    verb.add_option("--runs", flags.runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
    verb.add_flag("--fresh", flags.question.fresh, "with --run: also measure its initial weights");
    verb.add_option("--init", flags.question.subject.init, "initialisation of a spec's weights")
        ->capture_default_str();
    verb.add_option("--seed", flags.question.inputs.seed, "seed of templates and of a spec's weights")
        ->capture_default_str();
}

void add_grid_flags(CLI::App& verb, NumericRankFlags& flags) {
    probe::NumericQuestion& question = flags.question;
    verb.add_option("--positions", flags.positions, "positions of a text or of vectors (a run has its own)");
    auto* left = verb.add_option("--left", question.left, "side A: positions or entries, counted from 0");
    verb.add_option("--partition", question.partition,
                    "half (default), interleaved, rows, columns, random:K, all")
        ->excludes(left);
    verb.add_option("--output", question.output,
                    "coordinate,position or row,column (default 0,0; causal networks 0,last)");
    verb.add_option("--data", question.inputs.data, "templates are halves of real examples of this set");
    verb.add_option("--size", question.size, "rows and columns of the score matrix")->capture_default_str();
    verb.add_option("--tolerance", flags.tolerance,
                    "values up to this share of the largest count as zero (default size * 2^-52)");
    verb.add_option("--device", question.inputs.device, "cpu, cuda or cuda:1")->capture_default_str();
}

}  // namespace

void add_numeric_rank(CLI::App& app, Action& action) {
    auto flags = std::make_shared<NumericRankFlags>();
    auto* verb = app.add_subcommand("rank", "numeric separation rank of a real network, fresh or trained");
    verb->add_flag("--numeric", flags->numeric, "measure by singular values, in doubles");
    add_measured_flags(*verb, *flags);
    add_grid_flags(*verb, *flags);
    auto* csv = verb->add_flag("--csv", flags->csv, "one line per singular value");
    verb->add_flag("--json", flags->json, "for programs")->excludes(csv);
    verb->callback([&action, flags] { action = [flags] { return run_numeric_rank(*flags); }; });
}

}  // namespace plimsoll::cli

#include <memory>

#include <CLI/CLI.hpp>

#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/torch/probe_text.h"
#include "plimsoll/cli/torch/torch_commands.h"

namespace plimsoll::cli {
namespace {

// What both probes share.
struct SubjectFlags {
    std::string runs, init = "default";
    std::uint64_t seed = 1;
};

struct SpectraFlags {
    SubjectFlags subject;
    std::string spec, run, only;
    bool json = false;
};

struct CkaFlags {
    SubjectFlags subject;
    std::string first, second, positions;
    probe::CkaQuestion question;
    bool layers = false, json = false;
};

Result<probe::Subject> trained_subject(const std::string& name, const SubjectFlags& flags) {
    PLIMSOLL_ASSIGN(folder, find_run_folder(name, flags.runs));
    return probe::Subject{folder, flags.init, flags.seed};
}

// A run, or the winner of a fit, has its trained weights; anything else with sizes starts with fresh ones.
Result<probe::Subject> probed_subject(const std::string& name, const SubjectFlags& flags) {
    probe::Subject subject{{}, flags.init, flags.seed};
    PLIMSOLL_ASSIGN(meaning, find_meaning(name, target::Use::shape, flags.runs));
    if (meaning.kind == target::Kind::run || meaning.kind == target::Kind::fit) {
        PLIMSOLL_ASSIGN(folder, target::run_of(meaning));
        subject.source = folder;
        return subject;
    }
    PLIMSOLL_ASSIGN(spec, target::spec_of(meaning));
    subject.source = spec;
    return subject;
}

Result<probe::SpectraReport> measured(const SpectraFlags& flags) {
    if (flags.spec.empty() == flags.run.empty())
        return bad_input(
            "spec",
            "give one network: a spec such as s-mixer:depth=1,tokens=16,channels=16, a name, or --run");
    PLIMSOLL_ASSIGN(subject, flags.run.empty() ? probed_subject(flags.spec, flags.subject)
                                               : trained_subject(flags.run, flags.subject));
    ProgressBar bar("singular values");
    return probe::measure_spectra({subject, flags.only}, bar.callback());
}

Result<probe::CkaReport> measured(const CkaFlags& flags) {
    probe::CkaQuestion question = flags.question;
    PLIMSOLL_ASSIGN(first, probed_subject(flags.first, flags.subject));
    PLIMSOLL_ASSIGN(second, probed_subject(flags.second, flags.subject));
    // Two specs are two draws: otherwise a network would be compared with itself.
    if (std::holds_alternative<arch::ArchSpec>(second.source)) ++second.seed;
    question.first = first;
    question.second = second;
    question.inputs.seed = flags.subject.seed;
    if (!flags.positions.empty()) {
        PLIMSOLL_ASSIGN(positions, parse_integer(flags.positions, "positions"));
        question.inputs.positions = positions;
    }
    ProgressBar bar("comparing");
    return probe::measure_cka(question, bar.callback());
}

template <class Flags, class Print>
int show(const Flags& flags, Print print) {
    const auto report = measured(flags);
    if (!report.ok()) return fail(report.error());
    if (flags.json)
        print_json(to_json(*report));
    else
        print(*report);
    return 0;
}

void add_subject_flags(CLI::App& verb, SubjectFlags& flags) {
    verb.add_option("--init", flags.init, "how a spec's weights start")->capture_default_str();
    verb.add_option("--seed", flags.seed, "of a spec's weights and of random inputs")->capture_default_str();
    verb.add_option("--runs", flags.runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
}

void add_spectra(CLI::App& app, Action& action) {
    auto flags = std::make_shared<SpectraFlags>();
    auto* verb = app.add_subcommand("spectra", "singular values of every weight matrix, fresh or trained");
    verb->add_option("spec", flags->spec,
                     "a run or a fit (trained weights), or whatever plimsoll count takes (fresh weights)");
    verb->add_option("--run", flags->run, named_run);
    verb->add_option("--only", flags->only, "matrices with this in their name");
    add_subject_flags(*verb, flags->subject);
    verb->add_flag("--json", flags->json, "for programs");
    verb->callback([&action, flags] { action = [flags] { return show(*flags, print_spectra); }; });
}

void add_cka(CLI::App& app, Action& action) {
    auto flags = std::make_shared<CkaFlags>();
    probe::CkaQuestion& question = flags->question;
    auto* verb = app.add_subcommand("cka", "how alike the layers of two networks are on the same inputs");
    verb->add_option("first", flags->first,
                     "a run or a fit, or whatever plimsoll count takes (fresh weights)")
        ->required();
    verb->add_option("second", flags->second, "the same (fresh weights are those of the next seed)")
        ->required();
    verb->add_option("--data", question.inputs.data, "real examples of this set instead of random inputs");
    verb->add_option("--examples", question.examples, "how many")->capture_default_str();
    verb->add_option("--positions", flags->positions,
                     "positions of a text or of vectors (a run has its own)");
    verb->add_option("--device", question.inputs.device, "cpu, cuda or cuda:1")->capture_default_str();
    verb->add_flag("--unbiased", question.unbiased, "without the bias of few examples (Song et al. 2012)");
    verb->add_flag("--layers", flags->layers, "all pairs of layers");
    add_subject_flags(*verb, flags->subject);
    verb->add_flag("--json", flags->json, "for programs");
    verb->callback([&action, flags] {
        action = [flags] {
            return show(*flags, [&](const auto& report) { print_cka(report, flags->layers); });
        };
    });
}

}  // namespace

void add_probe(CLI::App& app, Action& action) {
    auto* verb = app.add_subcommand("probe", "real networks measured");
    verb->require_subcommand(1);
    add_spectra(*verb, action);
    add_cka(*verb, action);
}

}  // namespace plimsoll::cli

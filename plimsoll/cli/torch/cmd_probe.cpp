#include <memory>

#include <CLI/CLI.hpp>

#include "plimsoll/base/busy_line.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/torch/probe_text.h"
#include "plimsoll/cli/torch/torch_commands.h"
#include "plimsoll/cli/torch_flags/torch_flags.h"

namespace plimsoll::cli {
namespace {

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
    BusyLine bar("singular values");
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
    BusyLine bar("comparing");
    return probe::measure_cka(question, bar.callback());
}

template <class Flags, class Print>
int show(const char* kind, const Flags& flags, Print print) {
    const auto report = measured(flags);
    if (!report.ok()) return fail(report.error());
    if (flags.json)
        print_json(kind, to_json(*report));
    else
        print(*report);
    return 0;
}

void add_spectra(CLI::App& app, Action& action) {
    auto flags = std::make_shared<SpectraFlags>();
    auto* verb = add_spectra_verb(app, *flags);
    verb->callback([&action, flags] { action = [flags] { return show("spectra", *flags, print_spectra); }; });
}

void add_cka(CLI::App& app, Action& action) {
    auto flags = std::make_shared<CkaFlags>();
    auto* verb = add_cka_verb(app, *flags);
    verb->callback([&action, flags] {
        action = [flags] {
            return show("cka", *flags, [&](const auto& report) { print_cka(report, flags->layers); });
        };
    });
}

}  // namespace

void add_probe(CLI::App& app, Action& action) {
    auto* verb = add_probe_verb(app);
    add_spectra(*verb, action);
    add_cka(*verb, action);
}

}  // namespace plimsoll::cli

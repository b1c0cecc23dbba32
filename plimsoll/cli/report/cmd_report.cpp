#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "plimsoll/base/format.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/report/fit_report.h"
#include "plimsoll/cli/reproduce/reproduce_text.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/torch_program.h"
#include "plimsoll/cli/wrap.h"
#include "plimsoll/lab/experiment/report_source.h"
#include "plimsoll/target/fit_folder.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

struct ReportFlags {
    std::string target, scale = "desk", runs, figure, out;
    std::vector<std::string> rows;
    bool svg = false, png = false, markdown = false, csv = false, vega = false, json = false;
};

// A sweep has its runs in the usual folder, an experiment the rows it keeps.
lab::ReportRequest request_of(const ReportFlags& flags) {
    std::error_code odd;  // links in a circle, a name too long
    const bool sweep = fs::is_regular_file(flags.target, odd);
    lab::ReportRequest request{.target = flags.target, .scale = flags.scale, .figure = flags.figure};
    if (!flags.runs.empty() || (sweep && flags.rows.empty())) request.runs = runs_folder(flags.runs);
    request.rows.assign(flags.rows.begin(), flags.rows.end());
    if (const auto program = find_torch_program(); program.ok()) request.program = *program;
    return request;
}

// Everything lies beside the page, which is written when --out names it.
lab::ReportFiles files_of(const ReportFlags& flags) {
    const fs::path page = flags.out, folder = page.has_parent_path() ? page.parent_path() : fs::path(".");
    const fs::path stem = page.empty() ? "report" : page.stem();
    lab::ReportFiles files;
    files.html = page;
    if (flags.markdown) files.markdown = folder / (stem.string() + ".md");
    if (flags.csv) files.rows = folder;
    if (flags.svg || flags.png || flags.vega) files.figures = folder / "figures";
    files.svg = flags.svg;
    files.png = flags.png;
    files.vega = flags.vega;
    return files;
}

void print_written(const lab::WrittenReport& written) {
    for (const auto& file : written.files) fmt::print("{}\n", file.string());
    if (!written.missing.empty())
        fmt::print("{}", wrapped("! no pictures and no page: " + printable(written.missing), 0, 2));
}

// A fit wrote its page when it ended: what it decided is shown, nothing is drawn again.
Result<int> show_fit(const ReportFlags& flags, const target::Meaning& fit) {
    const bool draws = flags.svg || flags.png || flags.markdown || flags.csv || flags.vega;
    if (draws || !flags.out.empty() || !flags.rows.empty() || !flags.figure.empty())
        return bad_input(flags.target, "is " + target::words(fit) +
                                           ", which already has its page; report takes only --json with it");
    PLIMSOLL_ASSIGN(answer, target::read_fit(fit.path));
    if (flags.json) return print_json("fit", answer), 0;
    return print_fit_report(fit.path.lexically_normal(), answer), 0;
}

// What else the name means, for the error of one that is no experiment and no sweep.
Error not_reportable(const ReportFlags& flags, const Error& error) {
    const auto meaning = find_meaning(flags.target, target::Use::shape, flags.runs);
    const bool other = error.kind == ErrorKind::not_found && meaning.ok() &&
                       meaning->kind != target::Kind::settings && meaning->kind != target::Kind::spec;
    if (!other) return error;
    const char* instead =
        meaning->kind == target::Kind::run ? "plimsoll runs show shows it" : "plimsoll audit judges it";
    return unsupported(flags.target,
                       fmt::format("is {}; {}; report takes an experiment, a sweep.toml or a fit",
                                   target::words(*meaning), instead));
}

// Exit 3 when what was asked for could not be drawn.
Result<int> run(const ReportFlags& flags) {
    std::error_code odd;
    if (!flags.target.empty() && fs::exists(flags.target, odd)) {
        const auto meaning = find_meaning(flags.target, target::Use::shape, flags.runs);
        if (meaning.ok() && meaning->kind == target::Kind::fit) return show_fit(flags, *meaning);
    }
    auto read = lab::read_report_source(request_of(flags));
    if (!read.ok()) return flags.target.empty() ? read.error() : not_reportable(flags, read.error());
    const lab::ReportSource source = std::move(read).value();
    PLIMSOLL_ASSIGN(written, lab::write_report(source, files_of(flags)));
    if (flags.json) {
        print_json("report", report::report_json(written.report));
    } else {
        fmt::print("{}\n\n", printable(source.title));
        print_report(written.report);
        print_written(written);
    }
    return written.missing.empty() ? 0 : static_cast<int>(ErrorKind::not_found);
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
    auto flags = std::make_shared<ReportFlags>();
    auto* verb = app.add_subcommand(
        "report", "draw figures, tables and findings of an experiment or a sweep; docs/REPORTS.md");
    verb->add_option("target", flags->target,
                     "an experiment (id or folder), a sweep.toml, or the folder of a fit");
    verb->add_option("--runs", flags->runs,
                     "folder of runs to read (a sweep: default $PLIMSOLL_RUNS, else ./runs)");
    verb->add_option("--rows", flags->rows, "saved rows instead of runs: rows.csv, curves.csv");
    verb->add_option("--scale", flags->scale, "scale of an experiment")->capture_default_str();
    verb->add_option("--figure", flags->figure, "figure.toml (default: the experiment's own)");
    verb->add_option("--out", flags->out, "write the page here: report.html");
    verb->add_flag("--svg", flags->svg, "also write figures/NAME.svg next to the page");
    verb->add_flag("--png", flags->png, "also figures/NAME.png");
    verb->add_flag("--vega", flags->vega, "also figures/NAME.vl.json (Vega-Lite)");
    verb->add_flag("--markdown", flags->markdown, "also report.md");
    verb->add_flag("--csv", flags->csv, "also the rows: rows.csv, curves.csv");
    verb->add_flag("--json", flags->json, "for programs");
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run(*flags)); }; });
}

}  // namespace plimsoll::cli

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/exporter/export.h"

namespace plimsoll::cli {
namespace {

struct ExportFlags {
    std::string run, runs, hf, out;
    exporter::ExportOptions options;
    bool json = false;
};

void print_export(const exporter::Exported& e) {
    const std::string format = e.stock_class.empty() ? "plimsoll.toml and our tensor names" : e.stock_class;
    fmt::print("{}\n\n", e.folder.string());
    fmt::print("  written as   {}\n", format);
    fmt::print("  checkpoint   step {}\n", e.step);
    fmt::print("  weights      {} tensors, {} numbers\n", e.tensors, e.parameters.grouped());
    fmt::print("  files        {}\n", join(e.files, ", "));
    if (!e.why_plain.empty()) fmt::print("\n{}.\n", e.why_plain);
    if (!e.why_no_tokenizer.empty()) fmt::print("\nno tokenizer.json: {}.\n", e.why_no_tokenizer);
}

Result<int> run_export(ExportFlags flags) {
    if (!flags.hf.empty() && !flags.out.empty()) return bad_input("--out", "not together with --hf");
    PLIMSOLL_ASSIGN(folder, find_run_folder(flags.run, flags.runs));
    if (flags.hf.empty() && flags.out.empty()) {
        flags.hf = "export-" + folder.filename().string();
        note(fmt::format("written to {}, as neither --hf nor --out is given", flags.hf));
    }
    flags.options.hf = !flags.hf.empty();
    PLIMSOLL_ASSIGN(exported, exporter::export_run(folder, flags.hf + flags.out, flags.options));
    if (flags.json) {
        print_json("export", to_json(exported));
    } else {
        print_export(exported);
    }
    return 0;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
    auto flags = std::make_shared<ExportFlags>();
    auto* verb = app.add_subcommand("export", "write a trained run as a model folder; docs/EXPORT.md");
    verb->add_option("run", flags->run, named_run)->required();
    verb->add_option("--hf", flags->hf,
                     "folder to write: a stock Hugging Face class, if one computes the same function "
                     "(default export-RUN)");
    verb->add_option("--out", flags->out, "folder to write: plimsoll.toml and our own tensor names");
    verb->add_flag("--force", flags->options.force, "replace an earlier export there");
    verb->add_option("--tokenizer", flags->options.tokenizer,
                     "tokenizer to use instead of the run's: bytes, or a file");
    verb->add_option("--runs", flags->runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
    verb->add_flag("--json", flags->json, "for programs");
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run_export(*flags)); }; });
}

}  // namespace plimsoll::cli

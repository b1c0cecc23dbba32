#include <cstdlib>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/data/data_text.h"
#include "plimsoll/cli/data/read_flags.h"
#include "plimsoll/cli/data/synthetic_text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/typed_input.h"
#include "plimsoll/data/describe/describe.h"
#include "plimsoll/data/synthetic/synthetic_file.h"

namespace plimsoll::cli {
namespace {

struct DataFlags {
    std::string target, contact_sheet, out, vocab;
    ReadFlags read;
    bool json = false;
};

Result<data::DataRequest> request_of(const DataFlags& flags) {
    data::DataRequest request;
    request.target = flags.target;
    if (const char* folder = std::getenv("PLIMSOLL_DATA")) request.data_folder = folder;
    PLIMSOLL_ASSIGN(kind, asked_kind(flags.read));
    PLIMSOLL_ASSIGN(read, read_options(flags.read));
    request.kind = kind;
    request.read = std::move(read);
    if (!flags.vocab.empty()) {
        PLIMSOLL_ASSIGN(vocabulary, parse_count(flags.vocab, "vocab"));
        request.read.tokens.vocabulary = static_cast<std::uint64_t>(vocabulary);
    }
    return request;
}

Result<int> run_synthetic_info(const DataFlags& flags) {
    if (!flags.contact_sheet.empty()) {
        return bad_input("contact-sheet", fmt::format("{} has no images", flags.target));
    }
    PLIMSOLL_ASSIGN(report, report_synthetic(flags.target));
    if (flags.json) return print_json("data", synthetic_json(report)), 0;
    return print_synthetic(report), 0;
}

Result<int> run_make(const DataFlags& flags) {
    if (!data::is_synthetic(flags.target)) {
        return bad_input(flags.target, "only synthetic sets are made; data kinds lists them");
    }
    ProgressBar bar("making");
    PLIMSOLL_ASSIGN(set, data::make_synthetic(flags.target, bar.callback()));
    const std::string text = data::file_text(set.dataset);
    PLIMSOLL_RETURN_IF_ERROR(atomic_write(flags.out, text));
    fmt::print("{}: {} of {}\n", flags.out, human_bytes(static_cast<double>(text.size())), set.name);
    return 0;
}

Result<int> show_info(const data::DataRequest& request, const DataFlags& flags, const std::string& name) {
    PLIMSOLL_ASSIGN(report, data::describe(request, !flags.contact_sheet.empty()));
    if (flags.target == "-") report.path = name;
    if (!flags.contact_sheet.empty())
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(flags.contact_sheet, report.contact_sheet));
    if (flags.json) return print_json("data", to_json(report)), 0;
    return print_data(report), 0;
}

// An error that calls the copy of standard input by its name, not by where it lies.
Error about_input(Error error, const TypedInput& input) {
    for (std::string* text : {&error.where, &error.message})
        for (std::size_t at = 0; (at = text->find(input.path(), at)) != std::string::npos;) {
            text->replace(at, input.path().size(), input.name());
            at += input.name().size();
        }
    return error;
}

Result<int> run_info(const DataFlags& flags) {
    if (data::is_synthetic(flags.target)) return run_synthetic_info(flags);
    PLIMSOLL_ASSIGN(request, request_of(flags));
    ProgressBar bar("reading");
    request.options.progress = bar.callback();
    PLIMSOLL_ASSIGN(input, TypedInput::open(flags.target));
    request.target = input.path();
    const auto code = show_info(request, flags, input.name());
    return code.ok() || flags.target != "-" ? code : about_input(code.error(), input);
}

}  // namespace

void add_data(CLI::App& app, Action& action) {
    auto flags = std::make_shared<DataFlags>();
    auto* verb =
        app.add_subcommand("data", "data sets: what a file or folder holds, and where it is damaged");
    verb->require_subcommand(1);
    auto* info =
        verb->add_subcommand("info", "as what it is read, counts, labels, duplicates, the parts of a run");
    info->add_option("data", flags->target,
                     "a file, a folder, - for standard input, or cifar10, cifar100, svhn, stl10, mnist, "
                     "fashion-mnist (looked up "
                     "in $PLIMSOLL_DATA), or synthetic:grammar, synthetic:hops=3, ...")
        ->required();
    add_read_flags(*info, flags->read);
    info->add_option("--contact-sheet", flags->contact_sheet, "write a PNG with samples of each class");
    info->add_option("--vocab", flags->vocab, "ids of a .bin at or above this are damage");
    info->add_flag("--json", flags->json, "for programs");
    info->callback([&action, flags] { action = [flags] { return exit_code_of(run_info(*flags)); }; });
    auto* make = verb->add_subcommand("make", "write a synthetic set to a file");
    make->add_option("data", flags->target, "synthetic:KIND with settings; data kinds lists them")
        ->required();
    make->add_option("--out", flags->out, "text, or a line per example")->required();
    make->callback([&action, flags] { action = [flags] { return exit_code_of(run_make(*flags)); }; });
    auto* kinds = verb->add_subcommand("kinds", "the synthetic sets and their settings");
    kinds->callback([&action] { action = [] { return print_synthetic_kinds(), 0; }; });
}

}  // namespace plimsoll::cli

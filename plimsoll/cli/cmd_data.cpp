#include <cstdlib>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "plimsoll/base/files.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/data_text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/data/describe.h"

namespace plimsoll::cli {
namespace {

struct Flags {
    std::string target, kind, contact_sheet;
    int token_bits = 0;
    std::string vocab;
    bool json = false;
};

Result<data::DataRequest> request_of(const Flags& flags) {
    data::DataRequest request;
    request.target = flags.target;
    if (const char* folder = std::getenv("PLIMSOLL_DATA")) request.data_folder = folder;
    if (!flags.kind.empty()) {
        request.kind = data::kind_named(flags.kind);
        if (!request.kind)
            return bad_input("kind",
                             "unknown '" + flags.kind + "'" + suggestion(flags.kind, data::kind_names()));
    }
    if (flags.token_bits != 0 && flags.token_bits != 16 && flags.token_bits != 32)
        return bad_input("token-bits", "must be 16 or 32, got " + std::to_string(flags.token_bits));
    if (flags.token_bits != 0) request.tokens.width = static_cast<data::TokenWidth>(flags.token_bits / 8);
    if (!flags.vocab.empty()) {
        PLIMSOLL_ASSIGN(vocabulary, parse_count(flags.vocab, "vocab"));
        request.tokens.vocabulary = static_cast<std::uint64_t>(vocabulary);
    }
    return request;
}

Result<int> run_info(const Flags& flags) {
    PLIMSOLL_ASSIGN(request, request_of(flags));
    ProgressBar bar("reading");
    request.options.progress = bar.callback();
    PLIMSOLL_ASSIGN(report, data::describe(request, !flags.contact_sheet.empty()));
    if (!flags.contact_sheet.empty())
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(flags.contact_sheet, report.contact_sheet));
    if (flags.json) return print_json(to_json(report)), 0;
    return print_data(report), 0;
}

}  // namespace

void add_data(CLI::App& app, Action& action) {
    auto flags = std::make_shared<Flags>();
    auto* verb =
        app.add_subcommand("data", "data sets: what a file or folder holds, and where it is damaged");
    verb->require_subcommand(1);
    auto* info = verb->add_subcommand("info", "counts, shapes, labels, mean and deviation, duplicates");
    info->add_option("data", flags->target,
                     "a file, a folder, or cifar10, cifar100, svhn, stl10, mnist, fashion-mnist (looked up "
                     "in $PLIMSOLL_DATA)")
        ->required();
    info->add_option("--kind", flags->kind,
                     "read it as this layout instead of the one its names and first bytes say");
    info->add_option("--contact-sheet", flags->contact_sheet, "write a PNG with samples of each class");
    info->add_option("--token-bits", flags->token_bits,
                     "16 or 32: how wide the ids of a .bin without a header are");
    info->add_option("--vocab", flags->vocab, "ids of a .bin at or above this are damage");
    info->add_flag("--json", flags->json, "for programs");
    info->callback([&action, flags] {
        action = [flags] {
            const auto code = run_info(*flags);
            return code.ok() ? *code : fail(code.error());
        };
    });
}

}  // namespace plimsoll::cli

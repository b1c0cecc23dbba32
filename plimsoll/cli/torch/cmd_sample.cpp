#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>

#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/torch/torch_commands.h"
#include "plimsoll/cli/torch_flags/torch_flags.h"
#include "plimsoll/train/train.h"

namespace plimsoll::cli {
namespace {

Result<int> run_sample(const SampleFlags& flags) {
    PLIMSOLL_ASSIGN(folder, find_run_folder(flags.run, flags.runs));
    PLIMSOLL_ASSIGN(text, train::sample(folder, flags.options));
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fputc('\n', stdout);
    return 0;
}

}  // namespace

void add_sample(CLI::App& app, Action& action) {
    auto flags = std::make_shared<SampleFlags>();
    auto* verb = add_sample_verb(app, *flags);
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run_sample(*flags)); }; });
}

}  // namespace plimsoll::cli

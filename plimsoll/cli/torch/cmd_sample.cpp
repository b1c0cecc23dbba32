#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>

#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/torch/torch_commands.h"
#include "plimsoll/train/train.h"

namespace plimsoll::cli {
namespace {

struct SampleFlags {
    std::string run, runs;
    train::SampleOptions options;
};

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
    auto* verb = app.add_subcommand("sample", "continue a prompt with a trained text run");
    verb->add_option("run", flags->run, named_run)->required();
    verb->add_option("--prompt", flags->options.prompt, "text to continue")->required();
    verb->add_option("--tokens", flags->options.tokens, "how many to add")->capture_default_str();
    verb->add_option("--temperature", flags->options.temperature, "0: always the likeliest")
        ->capture_default_str();
    verb->add_option("--top-k", flags->options.top_k, "only among so many; 0: all")->capture_default_str();
    verb->add_option("--seed", flags->options.seed, "another number, another text")->capture_default_str();
    verb->add_option("--device", flags->options.device, "cpu, cuda or cuda:1")->capture_default_str();
    verb->add_option("--runs", flags->runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run_sample(*flags)); }; });
}

}  // namespace plimsoll::cli

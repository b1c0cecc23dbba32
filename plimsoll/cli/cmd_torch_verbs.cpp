#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/torch_program.h"

namespace plimsoll::cli {
namespace {

struct TorchVerb {
    const char* name;
    const char* meaning;
};

// What plimsoll-torch does; its own --help has the flags.
constexpr std::array torch_verbs{
    TorchVerb{"probe", "real networks measured: spectra of weights, similarity of layers"},
    TorchVerb{"train", "train the run of a run.toml, or go on with it"},
    TorchVerb{"eval", "loss, bits per byte and accuracy of a trained run"},
    TorchVerb{"sample", "continue a prompt with a trained text run"},
};

}  // namespace

std::vector<std::string> words_for_torch(int argc, const char* const* argv) {
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    const bool numeric = std::ranges::find(words, "--numeric") != words.end();
    return numeric && words.front() == "rank" ? words : std::vector<std::string>{};
}

void add_torch_verbs(CLI::App& app, Action& action) {
    for (const TorchVerb& torch_verb : torch_verbs) {
        auto* verb = app.add_subcommand(torch_verb.name, torch_verb.meaning);
        verb->set_help_flag();  // plimsoll-torch answers it
        verb->prefix_command();
        verb->callback([&action, verb] {
            std::vector<std::string> words = verb->remaining();
            words.insert(words.begin(), verb->get_name());
            action = [words] { return fail(exec_torch_program(words)); };
        });
    }
}

}  // namespace plimsoll::cli

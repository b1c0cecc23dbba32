#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/session.h"
#include "plimsoll/cli/torch_flags/torch_flags.h"
#include "plimsoll/cli/torch_program.h"

namespace plimsoll::cli {
namespace {

using Check = std::function<Status()>;

// The verb runs in plimsoll-torch, with the same words; what `check` refuses costs no start of LibTorch.
void hand_to_torch(CLI::App* verb, Action& action, const Check& check) {
    verb->callback([&action, check] {
        action = [check] {
            const Status checked = check();
            return fail(checked.ok() ? exec_torch_program(session().words) : checked.error());
        };
    });
}

Status is_run(const std::string& name, const std::string& runs, const std::string& device) {
    PLIMSOLL_RETURN_IF_ERROR(find_run_folder(name, runs));
    return check_devices(device);
}

Status can_train(const TrainFlags& flags) {
    PLIMSOLL_RETURN_IF_ERROR(check_devices(flags.device));
    std::error_code odd;  // links in a circle, a name too long
    for (const auto& file : flags.files)
        if (!std::filesystem::exists(file, odd)) return not_found(file, "no such file");
    return {};
}

void add_train(CLI::App& app, Action& action) {
    auto flags = std::make_shared<TrainFlags>();
    hand_to_torch(add_train_verb(app, *flags), action, [flags] { return can_train(*flags); });
}

void add_eval(CLI::App& app, Action& action) {
    auto flags = std::make_shared<EvalFlags>();
    hand_to_torch(add_eval_verb(app, *flags), action,
                  [flags] { return is_run(flags->run, flags->runs, flags->options.device); });
}

void add_sample(CLI::App& app, Action& action) {
    auto flags = std::make_shared<SampleFlags>();
    hand_to_torch(add_sample_verb(app, *flags), action,
                  [flags] { return is_run(flags->run, flags->runs, flags->options.device); });
}

void add_probe(CLI::App& app, Action& action) {
    auto* verb = add_probe_verb(app);
    auto spectra = std::make_shared<SpectraFlags>();
    hand_to_torch(add_spectra_verb(*verb, *spectra), action, [spectra] { return Status(); });
    auto cka = std::make_shared<CkaFlags>();
    hand_to_torch(add_cka_verb(*verb, *cka), action,
                  [cka] { return check_devices(cka->question.inputs.device); });
}

}  // namespace

std::vector<std::string> words_for_torch(int argc, const char* const* argv) {
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    const bool numeric = std::ranges::find(words, "--numeric") != words.end();
    return numeric && words.front() == "rank" ? words : std::vector<std::string>{};
}

void add_torch_verbs(CLI::App& app, Action& action) {
    add_train(app, action);
    add_eval(app, action);
    add_sample(app, action);
    add_probe(app, action);
}

}  // namespace plimsoll::cli

#include <algorithm>

#include <CLI/CLI.hpp>

#include "plimsoll/cli/app.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/torch/torch_commands.h"
#include "plimsoll/cli/torch/torch_doctor.h"

namespace plimsoll::cli {
namespace {

// A wrong product is the answer "no": exit code 1.
int run_torch_doctor(bool as_json) {
    const auto findings = examine_torch();
    print_findings(findings, "", as_json);
    return std::any_of(findings.begin(), findings.end(),
                       [](const DoctorCheck& finding) { return finding.state == CheckState::act; });
}

void add_verbs(CLI::App& app, Action& action) {
    add_eval(app, action);
    add_sample(app, action);
    add_numeric_rank(app, action);
    add_probe(app, action);
    add_train(app, action);
    add_worker(app, action);
    auto as_json = std::make_shared<bool>(false);
    auto* doctor = app.add_subcommand("doctor", "LibTorch, its BLAS and a checked matmul");
    doctor->add_flag("--json", *as_json, "for programs");
    doctor->callback([as_json, &action] { action = [as_json] { return run_torch_doctor(*as_json); }; });
}

}  // namespace
}  // namespace plimsoll::cli

int main(int argc, char** argv) {
    CLI::App app("The verbs of plimsoll that need LibTorch; plimsoll starts this program when it needs it.",
                 "plimsoll-torch");
    return plimsoll::cli::run_face(app, plimsoll::cli::add_verbs, argc, argv);
}

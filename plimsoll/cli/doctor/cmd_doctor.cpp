#include <memory>

#include <CLI/CLI.hpp>

#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/doctor/doctor.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/torch_program.h"

namespace plimsoll::cli {
namespace {

struct DoctorFlags {
    bool torch = false, json = false;
};

int run_doctor(const DoctorFlags& flags) {
    if (flags.torch) {
        std::vector<std::string> arguments{"doctor"};
        if (flags.json) arguments.emplace_back("--json");
        return fail(exec_torch_program(arguments));
    }
    const char* next = is_installed() ? "plimsoll doctor --torch" : "bin/plimsoll doctor --torch";
    print_findings(examine(), next, flags.json);
    return 0;
}

}  // namespace

void add_doctor(CLI::App& app, Action& action) {
    auto flags = std::make_shared<DoctorFlags>();
    auto* verb =
        app.add_subcommand("doctor", "print what is built, what this machine has, and what is missing");
    verb->add_flag("--torch", flags->torch, "ask plimsoll-torch: LibTorch, its BLAS and a checked matmul");
    verb->add_flag("--json", flags->json, "for programs");
    verb->callback([flags, &action] { action = [flags] { return run_doctor(*flags); }; });
}

}  // namespace plimsoll::cli

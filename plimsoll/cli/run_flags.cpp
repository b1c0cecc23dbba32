#include "plimsoll/cli/run_flags.h"

#include <cstdlib>

#include "plimsoll/target/hub.h"

namespace plimsoll::cli {

std::filesystem::path runs_folder(const std::string& runs_flag) {
    if (!runs_flag.empty()) return runs_flag;
    const char* named = std::getenv("PLIMSOLL_RUNS");
    return named != nullptr && *named != 0 ? named : "runs";
}

Result<target::Meaning> find_meaning(const std::string& name, target::Use use, const std::string& runs_flag) {
    return target::find(name, use, {runs_folder(runs_flag), target::usual_hub_folder()});
}

Result<arch::ArchSpec> find_spec(const std::string& name, const std::string& runs_flag) {
    PLIMSOLL_ASSIGN(meaning, find_meaning(name, target::Use::shape, runs_flag));
    return target::spec_of(meaning);
}

Result<std::filesystem::path> find_run_folder(const std::string& name, const std::string& runs_flag) {
    PLIMSOLL_ASSIGN(meaning, find_meaning(name, target::Use::weights, runs_flag));
    return target::run_of(meaning);
}

}  // namespace plimsoll::cli

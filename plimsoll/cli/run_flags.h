#pragma once

#include <filesystem>
#include <string>

#include "plimsoll/arch/spec.h"
#include "plimsoll/base/result.h"
#include "plimsoll/target/target.h"

// Names that verbs take, by plimsoll/target; `runs_flag` is what --runs says.
namespace plimsoll::cli {

// What the help of a verb says of a name that has sizes, and of one that has trained weights.
inline constexpr const char* named_shape =
    "a spec, a file or folder of a model, a run, a fit, a Hugging Face id, a name of the zoo";
inline constexpr const char* named_run = "a run (folder, id, start of an id, name) or the folder of a fit";

// The folder of runs: what --runs says, else $PLIMSOLL_RUNS, else ./runs.
std::filesystem::path runs_folder(const std::string& runs_flag);

// Whether these words, with commas between, name devices: cpu, cuda or cuda:1.
Status check_device_names(const std::string& devices);

// The same, and that each of them is there.
Status check_devices(const std::string& devices);

// What a name means to a verb.
Result<target::Meaning> find_meaning(const std::string& name, target::Use use,
                                     const std::string& runs_flag = "");

// The architecture that a name means.
Result<arch::ArchSpec> find_spec(const std::string& name, const std::string& runs_flag = "");

// The folder of the trained run that a name means: a run, or the winner of a fit.
Result<std::filesystem::path> find_run_folder(const std::string& name, const std::string& runs_flag);

}  // namespace plimsoll::cli

#pragma once

#include <memory>
#include <vector>

#include "plimsoll/model/network.h"
#include "plimsoll/probe/probe.h"
#include "plimsoll/run/run_config.h"

namespace plimsoll::probe {

// A subject's network in double precision.
struct OpenSubject {
    SubjectFacts facts;
    std::unique_ptr<model::Network> network;
    run::RunConfig config;  // of the run; of a spec: the defaults
    bool is_run = false;
};

// `not_found` for a run without a checkpoint, `unsupported` for a spec that cannot be built, with the reason.
Result<OpenSubject> open_subject(const Subject& subject, torch::Device device);

// A run with the weights it started from.
Result<OpenSubject> open_at_start(const std::filesystem::path& run_folder, torch::Device device);

}  // namespace plimsoll::probe

#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "plimsoll/lab/jobs/worker_protocol.h"
#include "plimsoll/run/run_config.h"

// The worker's end of the protocol; the training is not in this file.
namespace plimsoll::lab {

// How an error begins whose reason is that the runs do not fit into the device's memory together.
constexpr std::string_view out_of_memory = "out of memory";

struct WorkerService {
    std::string device;
    // Trains runs as one stack in the folder of runs; one result for each config, in their order. The order
    // names just these configs.
    std::function<std::vector<Result<RunOutcome>>(const StackOrder&, const std::vector<run::RunConfig>&)>
        train;
    std::function<bool()> told_to_stop;  // by a signal
};

// Reads orders from the descriptor `in` and writes answers to `out` until `in` ends (returns 0) or it is
// asked to stop (exit_stopped). A stack that does not fit into memory is halved, and its halves again.
// SIGPIPE must be ignored: nobody may be left to hear the answers.
int serve(int in, int out, const WorkerService& service);

}  // namespace plimsoll::lab

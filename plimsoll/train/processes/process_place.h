#pragma once

#include <map>
#include <string>
#include <string_view>

#include "plimsoll/base/result.h"

namespace plimsoll::train {

// Where this process stands among those that train one run together.
struct ProcessRank {
    int rank = 0, count = 1;
    int local_rank = 0;                 // among those on this host
    std::string address = "127.0.0.1";  // of process 0
    int port = 29500;                   // where process 0 awaits the others
    int join_seconds = 300;             // how long to wait for all to come
    int wait_seconds = 1800;            // and for an answer afterwards
    [[nodiscard]] bool one_host() const { return address == "127.0.0.1"; }
};

using Variables = std::map<std::string, std::string>;

// The place that srun, mpirun (Open MPI or MPICH) or torchrun gave this process, read from its environment
// variables; one process alone without them. Variables that contradict one another, or only half of them, are
// `bad_input`.
Result<ProcessRank> place_from(const Variables& variables);

// The variables of this process.
Variables environment_variables();

// The first host of a list as Slurm writes it: node[03-05,7]-ib,gpu1 -> node03-ib.
std::string first_host(std::string_view list);

}  // namespace plimsoll::train

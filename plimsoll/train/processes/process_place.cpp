#include "plimsoll/train/processes/process_place.h"

#include <array>
#include <optional>

#include <unistd.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::train {
namespace {

// What a launcher tells the processes it starts.
struct Launcher {
    const char *name, *rank, *count, *local_rank, *local_count;
};

// A launcher that starts another one comes after it: its variables are still there, but the inner one's hold.
constexpr std::array launchers{
    Launcher{"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"},
    Launcher{"mpirun (Open MPI)", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
             "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    Launcher{"mpirun (MPICH)", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
    // SLURM_NTASKS and SLURM_PROCID are also there in the shell of salloc and the script of sbatch, which are
    // one process; variables about the step come from srun alone.
    Launcher{"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", ""},
};

constexpr const char* way_out = "--alone trains with this process only";
constexpr std::int64_t most_processes = 1'000'000;
// Steps with higher numbers are the shells of salloc and sbatch themselves (slurm.h).
constexpr std::int64_t last_step_of_srun = 0xfffffff0;

std::optional<std::string> value_of(const Variables& variables, const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() || found->second.empty() ? std::nullopt : std::optional(found->second);
}

Result<int> number(const Variables& variables, const std::string& name, std::int64_t least,
                   std::int64_t most) {
    const auto value = parse_integer(value_of(variables, name).value_or(""), name);
    if (value.ok() && *value >= least && *value <= most) return static_cast<int>(*value);
    return bad_input(name, fmt::format("must be a whole number from {} to {}, got '{}'; {}", least, most,
                                       value_of(variables, name).value_or(""), way_out));
}

bool is_srun(const Launcher& launcher) { return std::string_view(launcher.name) == "srun"; }

bool is_shell_of_slurm(const Variables& variables) {
    const auto step = parse_integer(value_of(variables, "SLURM_STEP_ID").value_or("0"), "SLURM_STEP_ID");
    return step.ok() && *step > last_step_of_srun;
}

bool is_there(const Launcher& launcher, const Variables& variables) {
    if (is_srun(launcher)) {
        return value_of(variables, launcher.count).has_value() && !is_shell_of_slurm(variables);
    }
    return value_of(variables, launcher.rank).has_value() || value_of(variables, launcher.count).has_value();
}

Result<ProcessRank> read(const Launcher& launcher, const Variables& variables) {
    for (const auto& [has, lacks] :
         {std::pair{launcher.rank, launcher.count}, {launcher.count, launcher.rank}}) {
        if (value_of(variables, has) && !value_of(variables, lacks)) {
            return bad_input(
                lacks, fmt::format("is not set, but {} is; {} sets both. {}", has, launcher.name, way_out));
        }
    }
    ProcessRank place;
    PLIMSOLL_ASSIGN(count, number(variables, launcher.count, 1, most_processes));
    PLIMSOLL_ASSIGN(rank, number(variables, launcher.rank, 0, count - 1));
    place.count = count;
    place.rank = place.local_rank = rank;
    // srun --mpi=pmi2 sets PMI's variables beside its own, but not this one.
    const bool same_tasks =
        value_of(variables, "SLURM_STEP_NUM_TASKS") == value_of(variables, launcher.count);
    for (const char* name : {launcher.local_rank, same_tasks ? "SLURM_LOCALID" : ""}) {
        if (!value_of(variables, name)) continue;
        PLIMSOLL_ASSIGN(local, number(variables, name, 0, count - 1));
        place.local_rank = local;
        break;
    }
    return place;
}

// Launchers multiply: an inner one that counts fewer than an outer one is an accident of the environment.
Status check_inside(const ProcessRank& place, const Launcher& inner, const Launcher& outer,
                    const Variables& variables) {
    PLIMSOLL_ASSIGN(started, read(outer, variables));
    if (place.count >= started.count) return {};
    return bad_input(inner.count, fmt::format("is {}, but {} started {} processes ({}); unset it, or {}",
                                              place.count, outer.name, started.count, outer.count, way_out));
}

bool on_one_host(const ProcessRank& place, const Launcher& launcher, const Variables& variables) {
    if (is_srun(launcher)) return value_of(variables, "SLURM_STEP_NUM_NODES") == "1";
    return value_of(variables, launcher.local_count) == fmt::format("{}", place.count);
}

// Process 0 of srun is on the first host of the step; mpirun starts with the first host of the job.
Result<std::string> address_of(const ProcessRank& place, const Launcher& launcher,
                               const Variables& variables) {
    if (const auto given = value_of(variables, "MASTER_ADDR")) {
        return *given == "localhost" ? "127.0.0.1" : *given;
    }
    if (on_one_host(place, launcher, variables)) return std::string("127.0.0.1");
    for (const char* list : {"SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST"}) {
        if (const auto hosts = value_of(variables, list)) return first_host(*hosts);
    }
    return bad_input("MASTER_ADDR",
                     fmt::format("is not set: {} does not say on which host process 0 is; set it, or {}",
                                 launcher.name, way_out));
}

// The same number in all processes of a job, and most likely another one in another job on the same host.
Result<int> port_of(const Variables& variables) {
    constexpr int highest_port = 65535, first_port = 20000, ports = 10000;
    if (value_of(variables, "MASTER_PORT")) return number(variables, "MASTER_PORT", 1, highest_port);
    std::string job;
    for (const char* name : {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "SLURM_JOB_ID", "SLURM_STEP_ID"}) {
        job += value_of(variables, name).value_or("") + "/";
    }
    std::uint32_t hash = 2166136261U;  // FNV-1a
    for (const char letter : job) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
    return first_port + static_cast<int>(hash % ports);
}

Result<ProcessRank> placed(const Launcher& launcher, const Variables& variables) {
    PLIMSOLL_ASSIGN(place, read(launcher, variables));
    for (const Launcher& outer : launchers) {
        if (&outer > &launcher && is_there(outer, variables)) {
            PLIMSOLL_RETURN_IF_ERROR(check_inside(place, launcher, outer, variables));
        }
    }
    if (place.count == 1) return place;
    PLIMSOLL_ASSIGN(address, address_of(place, launcher, variables));
    PLIMSOLL_ASSIGN(port, port_of(variables));
    place.address = address;
    place.port = port;
    constexpr int longest_wait = 1'000'000;
    if (value_of(variables, "PLIMSOLL_PROCESS_TIMEOUT")) {
        PLIMSOLL_ASSIGN(seconds, number(variables, "PLIMSOLL_PROCESS_TIMEOUT", 1, longest_wait));
        place.join_seconds = place.wait_seconds = seconds;
    }
    return place;
}

}  // namespace

std::string first_host(std::string_view list) {
    std::string host;
    for (std::size_t i = 0; i < list.size() && list[i] != ','; ++i) {
        if (list[i] != '[') {
            host += list[i];
            continue;
        }
        const auto end = std::min(list.find_first_of(",-]", i), list.size());
        host += list.substr(i + 1, end - i - 1);
        i = std::min(list.find(']', i), list.size());
    }
    return host;
}

Result<ProcessRank> place_from(const Variables& variables) {
    for (const Launcher& launcher : launchers) {
        if (is_there(launcher, variables)) return placed(launcher, variables);
    }
    return ProcessRank();
}

Variables environment_variables() {
    Variables variables;
    for (char** one = environ; *one != nullptr; ++one) {
        const std::string_view text(*one);
        const auto equals = text.find('=');
        if (equals != std::string_view::npos) {
            variables.emplace(text.substr(0, equals), text.substr(equals + 1));
        }
    }
    return variables;
}

}  // namespace plimsoll::train

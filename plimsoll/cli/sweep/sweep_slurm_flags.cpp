#include "plimsoll/cli/sweep/sweep_slurm_flags.h"

#include <array>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/sweep/sweep_status_text.h"
#include "plimsoll/cli/torch_program.h"

namespace plimsoll::cli {
namespace {

struct TextFlag {
    const char* name;
    std::string lab::SlurmSettings::* value;
    const char* meaning;
};
constexpr std::array text_flags{
    TextFlag{"--partition", &lab::SlurmSettings::partition, "partition to run in"},
    TextFlag{"--time", &lab::SlurmSettings::time,
             "time limit of a task: 30, 4:00:00, 2-00:00:00; then it is requeued and resumes"},
    TextFlag{"--gpus", &lab::SlurmSettings::gpus, "GPUs per task: 1 or a100:1"},
    TextFlag{"--mem", &lab::SlurmSettings::memory, "memory per task: 8G"},
    TextFlag{"--account", &lab::SlurmSettings::account, "account to charge"},
    TextFlag{"--qos", &lab::SlurmSettings::qos, "quality of service"},
    TextFlag{"--constraint", &lab::SlurmSettings::constraint, "features that the nodes must have"},
};

}  // namespace

Result<lab::SubmitOptions> submit_options(const SlurmFlags& flags, const std::string& runs,
                                          const std::string& device) {
    if (device.find(',') != std::string::npos)
        return bad_input("--device", "must be one device per task with --slurm, got " + device);
    if (!flags.dry_run) PLIMSOLL_RETURN_IF_ERROR(find_torch_program());  // on this machine, as on the nodes
    lab::SubmitOptions options;
    std::error_code ignored;
    options.runs = runs_folder(runs);
    options.program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    options.folder = std::filesystem::current_path(ignored);
    options.device = !flags.settings.gpus.empty() && device == "cpu" ? "cuda" : device;
    options.settings = flags.settings;
    options.dry_run = flags.dry_run;
    return options;
}

std::shared_ptr<SlurmFlags> add_slurm_flags(CLI::App& verb, const std::string& meaning) {
    auto flags = std::make_shared<SlurmFlags>();
    auto& settings = flags->settings;
    auto* slurm = verb.add_flag("--slurm", flags->slurm, meaning);
    slurm->group(slurm_group);
    if (auto* workers = verb.get_option_no_throw("--workers")) slurm->excludes(workers);
    const auto with_slurm = [&](CLI::Option* option) { option->needs(slurm)->group(slurm_group); };
    for (const TextFlag& flag : text_flags) {
        const bool taken = verb.get_option_no_throw(flag.name) != nullptr;
        const std::string name = (taken ? "--task-" : "--") + std::string(flag.name + 2);
        with_slurm(verb.add_option(name, settings.*flag.value, flag.meaning));
    }
    with_slurm(verb.add_option("--cpus", settings.cpus, "cores and threads per task")->capture_default_str());
    with_slurm(verb.add_option("--array-limit", settings.array_limit, "maximum number of concurrent tasks")
                   ->check(CLI::PositiveNumber));
    with_slurm(
        verb.add_option("--grace", settings.grace, "seconds before the limit to checkpoint and requeue")
            ->capture_default_str());
    with_slurm(verb.add_option("--sbatch", settings.options,
                               "additional option of sbatch: --sbatch=--mail-type=END"));
    with_slurm(
        verb.add_option("--setup", settings.setup, "additional line of the script: 'module load cuda'"));
    return flags;
}

Result<int> submit_to_slurm(const SlurmFlags& flags, const SlurmRequest& request) {
    PLIMSOLL_ASSIGN(sweep, lab::read_sweep(request.file));
    PLIMSOLL_ASSIGN(plan, lab::plan(sweep));
    PLIMSOLL_ASSIGN(options, submit_options(flags, request.runs, request.device));
    options.retry_failed = request.retry_failed;
    options.stack = request.stack;
    PLIMSOLL_ASSIGN(report, lab::submit_sweep(plan, options));
    if (request.json)
        print_json("sweep-submit", submitted_json(report));
    else
        print_submitted(report, request.file, flags.dry_run);
    return plan.jobs.empty() ? 1 : 0;
}

}  // namespace plimsoll::cli

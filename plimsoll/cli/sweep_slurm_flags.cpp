#include "plimsoll/cli/sweep_slurm_flags.h"

#include <array>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/sweep_status_text.h"
#include "plimsoll/cli/torch_program.h"

namespace plimsoll::cli {
namespace {

struct TextFlag {
    const char* name;
    std::string lab::SlurmSettings::* value;
    const char* meaning;
};
constexpr std::array text_flags{
    TextFlag{"--partition", &lab::SlurmSettings::partition, "where to run"},
    TextFlag{"--time", &lab::SlurmSettings::time,
             "limit of a task: 30, 4:00:00, 2-00:00:00; it goes on after it"},
    TextFlag{"--gpus", &lab::SlurmSettings::gpus, "of a task: 1 or a100:1"},
    TextFlag{"--mem", &lab::SlurmSettings::memory, "of a task: 8G"},
    TextFlag{"--account", &lab::SlurmSettings::account, "who pays"},
    TextFlag{"--qos", &lab::SlurmSettings::qos, "quality of service"},
    TextFlag{"--constraint", &lab::SlurmSettings::constraint, "features that the nodes must have"},
};

lab::SubmitOptions options_of(const SlurmFlags& flags, const SlurmRequest& request) {
    lab::SubmitOptions options;
    std::error_code ignored;
    options.runs = runs_folder(request.runs);
    options.program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    options.folder = std::filesystem::current_path(ignored);
    options.device = !flags.settings.gpus.empty() && request.device == "cpu" ? "cuda" : request.device;
    options.retry_failed = request.retry_failed;
    options.settings = flags.settings;
    options.dry_run = flags.dry_run;
    return options;
}

}  // namespace

std::shared_ptr<SlurmFlags> add_slurm_flags(CLI::App& verb) {
    auto flags = std::make_shared<SlurmFlags>();
    auto& settings = flags->settings;
    constexpr const char* group = "Slurm (docs/CLUSTER.md)";
    auto* slurm =
        verb.add_flag("--slurm", flags->slurm, "submit a job array and return; sweep status follows it");
    slurm->group(group);
    for (const char* local : {"--workers", "--stop-after", "--wait"}) slurm->excludes(verb.get_option(local));
    const auto with_slurm = [&](CLI::Option* option) { option->needs(slurm)->group(group); };
    with_slurm(verb.add_flag("--dry-run", flags->dry_run, "show the script, submit nothing"));
    for (const TextFlag& flag : text_flags)
        with_slurm(verb.add_option(flag.name, settings.*flag.value, flag.meaning));
    with_slurm(
        verb.add_option("--cpus", settings.cpus, "cores, and threads, of a task")->capture_default_str());
    with_slurm(verb.add_option("--array-limit", settings.array_limit, "so many tasks at a time")
                   ->check(CLI::PositiveNumber));
    with_slurm(
        verb.add_option("--grace", settings.grace, "seconds before the limit to checkpoint and requeue")
            ->capture_default_str());
    with_slurm(
        verb.add_option("--sbatch", settings.options, "another option of sbatch: --sbatch=--mail-type=END"));
    with_slurm(
        verb.add_option("--setup", settings.setup, "a line of shell for the script: 'module load cuda'"));
    return flags;
}

Result<int> submit_to_slurm(const SlurmFlags& flags, const SlurmRequest& request) {
    if (request.device.find(',') != std::string::npos)
        return bad_input("--device", "one device a task with --slurm, got " + request.device);
    PLIMSOLL_ASSIGN(sweep, lab::read_sweep(request.file));
    PLIMSOLL_ASSIGN(plan, lab::plan(sweep));
    if (!flags.dry_run) PLIMSOLL_RETURN_IF_ERROR(find_torch_program());  // on this machine, as on the nodes
    PLIMSOLL_ASSIGN(report, lab::submit_sweep(plan, options_of(flags, request)));
    if (request.json)
        print_json(submitted_json(report));
    else
        print_submitted(report, request.file, flags.dry_run);
    return plan.jobs.empty() ? 1 : 0;
}

}  // namespace plimsoll::cli

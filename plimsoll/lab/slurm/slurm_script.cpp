#include "plimsoll/lab/slurm/slurm_script.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::lab {
namespace {

// An option of sbatch that plimsoll sets itself.
struct OwnOption {
    std::string_view name, letter, instead;
};
constexpr std::array own_options{
    OwnOption{"--array", "-a", "the array is sized to the work; --array-limit bounds it"},
    OwnOption{"--chdir", "-D", "tasks work in the folder that the sweep was started in"},
    OwnOption{"--error", "-e", "plimsoll looks for the logs in its own place"},
    OwnOption{"--job-name", "-J", "plimsoll finds submissions by it"},
    OwnOption{"--no-requeue", "", "tasks requeue themselves"},
    OwnOption{"--open-mode", "", "a requeued task appends to its log"},
    OwnOption{"--output", "-o", "plimsoll looks for the logs in its own place"},
    OwnOption{"--parsable", "", "plimsoll reads the output of sbatch"},
    OwnOption{"--signal", "", "--grace sets it"},
    OwnOption{"--test-only", "", "--dry-run shows the script"},
    OwnOption{"--wrap", "", "the script is plimsoll's"},
};

struct Wish {
    const char* flag;  // of plimsoll, for errors
    const char* option;
    std::string SlurmSettings::* value;
};
constexpr std::array wishes{
    Wish{"--partition", "--partition=", &SlurmSettings::partition},
    Wish{"--time", "--time=", &SlurmSettings::time},
    Wish{"--gpus", "--gres=gpu:", &SlurmSettings::gpus},
    Wish{"--mem", "--mem=", &SlurmSettings::memory},
    Wish{"--account", "--account=", &SlurmSettings::account},
    Wish{"--qos", "--qos=", &SlurmSettings::qos},
    Wish{"--constraint", "--constraint=", &SlurmSettings::constraint},
};

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

// Slurm reads a backslash in its own way: in a path it switches off %A and %a.
Status check_text(const std::string& where, std::string_view text) {
    if (std::ranges::any_of(text, is_control))
        return bad_input(where, "a line end or another control character cannot stand in a batch script");
    if (text.find('\\') != std::string_view::npos)
        return bad_input(where, fmt::format("a backslash means something else to Slurm: {}", text));
    return {};
}

// sbatch takes "--outp" for --output.
bool abbreviates(std::string_view given, std::string_view name) {
    return given.size() > 2 && name.starts_with(given);
}

Status check_option(const std::string& option) {
    PLIMSOLL_RETURN_IF_ERROR(check_text("--sbatch", option));
    if (!option.starts_with("-") || option.size() < 2)
        return bad_input("--sbatch",
                         fmt::format("must be an option such as --mail-type=END, got '{}'", option));
    const std::string_view name = std::string_view(option).substr(0, option.find('='));
    for (const auto& own : own_options) {
        const bool same_letter =
            !own.letter.empty() && !option.starts_with("--") && option.starts_with(own.letter);
        if (same_letter || abbreviates(name, own.name))
            return bad_input("--sbatch", fmt::format("{} is set by plimsoll: {}", own.name, own.instead));
    }
    return {};
}

Status check(const SlurmArray& array, const SlurmSettings& settings) {
    for (const Wish& wish : wishes) PLIMSOLL_RETURN_IF_ERROR(check_text(wish.flag, settings.*wish.value));
    for (const auto& option : settings.options) PLIMSOLL_RETURN_IF_ERROR(check_option(option));
    for (const auto& line : settings.setup)
        if (std::ranges::any_of(line, is_control))
            return bad_input("--setup",
                             "one line of shell each: a line end or another control character is not one");
    for (const auto& path : {array.program, array.folder, array.jobs, array.runs, array.logs})
        PLIMSOLL_RETURN_IF_ERROR(check_text("--slurm", path.string()));
    PLIMSOLL_RETURN_IF_ERROR(check_text("--device", array.device));
    if (settings.cpus < 1)
        return bad_input("--cpus", fmt::format("must be 1 or more, got {}", settings.cpus));
    if (settings.grace < 1 || settings.grace > 65535)  // Slurm's own limits
        return bad_input("--grace", fmt::format("must be 1 to 65535 seconds, got {}", settings.grace));
    if (settings.array_limit < 0)
        return bad_input("--array-limit", fmt::format("must be 1 or more, got {}", settings.array_limit));
    return {};
}

// A path in which Slurm sees no pattern.
std::string without_patterns(const std::string& path) {
    std::string doubled;
    for (const char c : path) doubled.append(c == '%' ? 2 : 1, c);
    return doubled;
}

std::string array_option(const SlurmArray& array, const SlurmSettings& settings) {
    const std::string limit = settings.array_limit > 0 ? fmt::format("%{}", settings.array_limit) : "";
    return fmt::format("--array=0-{}{}", array.tasks - 1, limit);
}

std::vector<std::string> options_of(const SlurmArray& array, const SlurmSettings& settings) {
    std::vector<std::string> options{
        "--job-name=" + array.name,
        array_option(array, settings),
        "--requeue",
        "--open-mode=append",
        fmt::format("--signal=B:USR1@{}", settings.grace),
        "--output=" + without_patterns(array.logs.string()) + "/slurm-%A_%a.log",
        "--chdir=" + array.folder.string(),
        "--ntasks=1",
        fmt::format("--cpus-per-task={}", settings.cpus),
    };
    for (const Wish& wish : wishes)
        if (!(settings.*wish.value).empty()) options.push_back(wish.option + settings.*wish.value);
    options.insert(options.end(), settings.options.begin(), settings.options.end());
    return options;
}

}  // namespace

Result<std::string> slurm_script(const SlurmArray& array, const SlurmSettings& settings) {
    PLIMSOLL_CHECK(array.tasks > 0, "an array without tasks");
    PLIMSOLL_RETURN_IF_ERROR(check(array, settings));
    PLIMSOLL_RETURN_IF_ERROR(check_text("--slurm", array.about));
    std::string script = fmt::format("#!/bin/bash\n# plimsoll: {}\n", array.about);
    for (const auto& option : options_of(array, settings)) script += "#SBATCH " + shell_word(option) + "\n";
    script += fmt::format("export OMP_NUM_THREADS={}\n", settings.cpus);
    for (const auto& line : settings.setup) script += line + "\n";
    // exec: the signal before the time limit goes to the process of the script.
    script += fmt::format("exec {} sweep task {} --number \"$SLURM_ARRAY_TASK_ID\" --runs {} --device {}\n",
                          shell_word(array.program.string()), shell_word(array.jobs.string()),
                          shell_word(array.runs.string()), shell_word(array.device));
    return script;
}

}  // namespace plimsoll::lab

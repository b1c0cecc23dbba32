#include "plimsoll/cli/run_flags.h"

#include <cstdlib>
#include <optional>

#include "plimsoll/base/device.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/target/hub.h"

namespace plimsoll::cli {

namespace {

constexpr const char* device_flag = "--device";

// The number of a GPU: 1 of cuda:1, 0 of cuda; none of cpu.
Result<std::optional<std::int64_t>> gpu_number(const std::string& word) {
    if (word == "cpu") return std::optional<std::int64_t>();
    if (word == "cuda") return std::optional<std::int64_t>(0);
    const auto number = parse_integer(word.starts_with("cuda:") ? word.substr(5) : "", device_flag);
    if (number.ok() && *number >= 0) return std::optional(*number);
    return bad_input(device_flag, fmt::format("must be cpu, cuda or cuda:1, got '{}'", word));
}

Status check_gpu(const std::string& word, std::int64_t number) {
    static const CudaFacts cuda = cuda_facts();
    if (cuda.gpus.empty())
        return unsupported(device_flag, fmt::format("no GPU for {}: {}; use cpu", word, cuda.problem));
    if (number < static_cast<std::int64_t>(cuda.gpus.size())) return {};
    return bad_input(device_flag, fmt::format("{} does not exist: this machine has {} GPU{}", word,
                                              cuda.gpus.size(), cuda.gpus.size() == 1 ? "" : "s"));
}

}  // namespace

std::filesystem::path runs_folder(const std::string& runs_flag) {
    if (!runs_flag.empty()) return runs_flag;
    const char* named = std::getenv("PLIMSOLL_RUNS");
    return named != nullptr && *named != 0 ? named : "runs";
}

Status check_device_names(const std::string& devices) {
    if (devices.empty()) PLIMSOLL_RETURN_IF_ERROR(gpu_number(devices));
    for (const auto& word : split(devices, ',')) PLIMSOLL_RETURN_IF_ERROR(gpu_number(word));
    return {};
}

Status check_devices(const std::string& devices) {
    PLIMSOLL_RETURN_IF_ERROR(check_device_names(devices));
    for (const auto& word : split(devices, ',')) {
        PLIMSOLL_ASSIGN(number, gpu_number(word));
        if (number) PLIMSOLL_RETURN_IF_ERROR(check_gpu(word, *number));
    }
    return {};
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

#include "plimsoll/cli/doctor/doctor.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>

#include <unistd.h>

#include "plimsoll/base/device.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/build_facts.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/torch_program.h"

namespace plimsoll::cli {
namespace {

bool on_path(const std::string& program) {
    const char* path = std::getenv("PATH");
    for (const auto& folder : split(path == nullptr ? "" : path, ':')) {
        if (::access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0) return true;
    }
    return false;
}

std::string first_line_of(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
    char line[256] = "";
    if (pipe == nullptr || std::fgets(line, sizeof line, pipe.get()) == nullptr) return "";
    return std::string(trim(line));
}

DoctorCheck examine_build() {
    return {CheckState::passed, "plimsoll",
            fmt::format("{}, {}, {}, CMake {}", PLIMSOLL_VERSION, build_facts::build_type,
                        build_facts::compiler, build_facts::cmake),
            ""};
}

DoctorCheck examine_exact_numbers() {
    std::string found = fmt::format("FLINT {}", build_facts::flint);
    if (*build_facts::arb != 0) found += fmt::format(", Arb {}", build_facts::arb);
    return {CheckState::passed, "exact numbers", fmt::format("{}, GMP {}", found, build_facts::gmp), ""};
}

DoctorCheck examine_libraries() {
    return {CheckState::passed, "libraries",
            fmt::format("fmt {}, nettle {}", build_facts::fmt, build_facts::nettle), ""};
}

DoctorCheck examine_threads() {
    return {CheckState::passed, "threads", fmt::format("{}", std::thread::hardware_concurrency()), ""};
}

DoctorCheck examine_gpu() {
    const CudaFacts cuda = cuda_facts();
    if (!cuda.built)
        return {CheckState::note, "gpu", cuda.problem,
                "cmake --preset gpu && cmake --build build/gpu, on a machine with CUDA"};
    if (cuda.gpus.empty()) return {CheckState::act, "gpu", cuda.problem, "a driver that nvidia-smi finds"};
    std::vector<std::string> names;
    for (const auto& gpu : cuda.gpus) {
        names.push_back(fmt::format("{} (sm_{}{}, {})", gpu.name, gpu.compute_major, gpu.compute_minor,
                                    human_bytes(static_cast<double>(gpu.memory_bytes))));
    }
    return {CheckState::passed, "gpu", fmt::format("CUDA {}: {}", cuda.runtime_version, join(names, ", ")),
            ""};
}

DoctorCheck examine_slurm() {
    if (!on_path("sinfo") || !on_path("sbatch")) {
        return {CheckState::note, "slurm", "not on the PATH; sweeps run on this machine",
                "apt-get install slurm-wlm munge"};
    }
    const std::string version = first_line_of("sinfo --version 2>/dev/null");
    if (version.empty()) {
        return {CheckState::note, "slurm", "installed, but it finds no cluster; sweeps run on this machine",
                "export SLURM_CONF=/etc/slurm/slurm.conf, the file of a running cluster"};
    }
    return {CheckState::passed, "slurm", version, ""};
}

DoctorCheck examine_torch_program() {
    const auto program = find_torch_program();
    if (program.ok()) return {CheckState::passed, "plimsoll-torch", program->string(), ""};
    if (is_installed())
        return {CheckState::note, "plimsoll-torch", "not installed", "apt-get install plimsoll-torch"};
    return {CheckState::note, "plimsoll-torch", "not built", "bin/plimsoll doctor --torch"};
}

Mark mark_of(CheckState state) {
    switch (state) {
        case CheckState::passed:
            return Mark::passed;
        case CheckState::note:
            return Mark::note;
        case CheckState::act:
            return Mark::act;
    }
    return Mark::none;
}

const char* name_of(CheckState state) {
    switch (state) {
        case CheckState::passed:
            return "passed";
        case CheckState::note:
            return "note";
        case CheckState::act:
            return "act";
    }
    return "";
}

Json to_json(const std::vector<DoctorCheck>& findings) {
    Json list = Json::array();
    for (const auto& finding : findings) {
        list.push_back({{"thing", finding.thing},
                        {"state", name_of(finding.state)},
                        {"found", finding.found},
                        {"bring", finding.bring.empty() ? Json() : Json(finding.bring)}});
    }
    return {{"findings", list}};
}

}  // namespace

DoctorCheck examine_blas(const BlasFacts& blas) {
    const std::string place = blas.file.empty() ? "" : "\n" + blas.file;
    const bool good = blas.kind == BlasKind::openblas_openmp;
    return {good ? CheckState::passed : CheckState::note, "blas", blas_verdict(blas.kind) + place,
            good ? "" : "apt-get install libopenblas0-openmp"};
}

DoctorCheck examine_simd() { return {CheckState::passed, "simd", join(simd_sets(), " "), ""}; }

std::vector<DoctorCheck> examine() {
    return {examine_build(),   examine_exact_numbers(), examine_libraries(),
            examine_threads(), examine_simd(),          examine_blas(blas_on_disk()),
            examine_gpu(),     examine_slurm(),         examine_torch_program()};
}

void print_findings(const std::vector<DoctorCheck>& findings, const std::string& next, bool as_json) {
    if (as_json) return print_json("doctor", to_json(findings));
    Table table({{"thing", Align::left}, {"found", Align::left}});
    for (const auto& finding : findings) {
        const auto lines = split(finding.found, '\n');
        for (std::size_t i = 0; i < lines.size(); ++i) {
            table.add({i == 0 ? finding.thing : "", lines[i]}, i == 0 ? mark_of(finding.state) : Mark::none);
        }
        if (!finding.bring.empty()) table.add({"", "to get it: " + finding.bring});
    }
    table.print();
    const auto actions = std::count_if(findings.begin(), findings.end(),
                                       [](const DoctorCheck& f) { return f.state == CheckState::act; });
    fmt::print("\n  {} finding{} action.{}\n", actions, actions == 1 ? " needs" : "s need",
               next.empty() ? "" : " Next: " + next);
}

}  // namespace plimsoll::cli

#include "plimsoll/store/environment.h"

#include <ctime>
#include <fstream>
#include <thread>

#include <sys/utsname.h>
#include <unistd.h>

#include "plimsoll/base/device.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/store/clock.h"
#include "plimsoll/store/process_identity.h"

namespace plimsoll::store {
namespace {

// "model name" of /proc/cpuinfo; empty where the system does not say.
std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const auto colon = line.find(':');
        if (line.starts_with("model name") && colon != std::string::npos)
            return std::string(trim(std::string_view(line).substr(colon + 1)));
    }
    return "";
}

std::string system_name() {
    utsname names{};
    if (::uname(&names) != 0) return "";
    return fmt::format("{} {} {}", names.sysname, names.release, names.machine);
}

std::uint64_t memory_bytes() {
    const auto pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) : 0;
}

Json gpu_json(const GpuFacts& gpu) {
    Json json;
    json["name"] = gpu.name;
    json["compute"] = fmt::format("{}.{}", gpu.compute_major, gpu.compute_minor);
    json["memory_bytes"] = gpu.memory_bytes;
    return json;
}

Json machine_json() {
    Json json;
    json["host"] = host_name();
    json["system"] = system_name();
    json["processor"] = processor_name();
    json["simd"] = simd_sets();
    json["cores"] = std::thread::hardware_concurrency();
    json["memory_bytes"] = memory_bytes();
    const CudaFacts cuda = cuda_facts();
    json["cuda"] = cuda.runtime_version;
    json["gpus"] = Json::array();
    for (const auto& gpu : cuda.gpus) json["gpus"].push_back(gpu_json(gpu));
    return json;
}

}  // namespace

Json environment_now(const SessionFacts& facts) {
    Json json;
    json["started"] = utc_now();
    json["program"] = facts.program;
    json["version"] = facts.version;
    json["command"] = facts.command;
    json["device"] = facts.device;
    json["threads"] = facts.threads;
    json["libraries"] = Json::object();
    for (const auto& [name, version] : facts.libraries) json["libraries"][name] = version;
    json["machine"] = machine_json();
    return json;
}

}  // namespace plimsoll::store

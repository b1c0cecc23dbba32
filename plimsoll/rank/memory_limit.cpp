// How much memory there is: what Linux says, and the control group of a container or a batch job.
#include <sstream>

#include "plimsoll/base/files.h"
#include "plimsoll/base/text.h"
#include "plimsoll/rank/exact_rank.h"

namespace plimsoll::rank {
namespace {

constexpr std::uint64_t unknown = UINT64_MAX;

// The number after "name:" of /proc/meminfo, in bytes.
std::uint64_t meminfo(const std::string& text, const std::string& name) {
    const auto at = text.find(name + ":");
    if (at == std::string::npos) return unknown;
    std::istringstream rest(text.substr(at + name.size() + 1));
    std::uint64_t kibibytes = 0;
    return rest >> kibibytes ? kibibytes * 1024 : unknown;
}

std::uint64_t number_in(const char* file) {
    const auto text = read_text(file);
    if (!text.ok()) return unknown;
    const auto number = parse_integer(trim(*text), file);  // "max" is no number
    return number.ok() && *number >= 0 ? static_cast<std::uint64_t>(*number) : unknown;
}

std::uint64_t left_in_group() {
    const std::uint64_t most = number_in("/sys/fs/cgroup/memory.max"),
                        used = number_in("/sys/fs/cgroup/memory.current");
    if (most == unknown || used == unknown) return unknown;
    return most > used ? most - used : 0;
}

}  // namespace

std::uint64_t available_memory() {
    const auto text = read_text("/proc/meminfo");
    const std::uint64_t machine = text.ok() ? meminfo(*text, "MemAvailable") : unknown;
    return std::min(machine, left_in_group());
}

}  // namespace plimsoll::rank

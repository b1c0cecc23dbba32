#include "plimsoll/store/process_identity.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <optional>
#include <sstream>

#include <unistd.h>

#include "plimsoll/base/format.h"

namespace plimsoll::store {
namespace {

struct ProcessFacts {
    char state = 0;  // Z and X have ended
    std::uint64_t start = 0;
};

// From /proc/N/stat. The name in it may hold anything, so that counting starts after the last bracket.
std::optional<ProcessFacts> facts_of(std::int64_t process) {
    std::ifstream file(fmt::format("/proc/{}/stat", process));
    std::string text;
    if (!std::getline(file, text) || text.rfind(')') == std::string::npos) return std::nullopt;
    std::istringstream words(text.substr(text.rfind(')') + 1));
    ProcessFacts facts;
    std::string skipped;
    words >> facts.state;
    for (int field = 4; field < 22; ++field) words >> skipped;
    words >> facts.start;
    return words ? std::optional(facts) : std::nullopt;
}

// The boot, and which set of process numbers: containers of one machine share the first, not the second.
std::string system_now() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string boot;
    std::array<char, 64> numbers{};
    if (!std::getline(file, boot) || ::readlink("/proc/self/ns/pid", numbers.data(), numbers.size() - 1) < 0)
        return "";
    return boot + " " + numbers.data();
}

}  // namespace

std::string host_name() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
    return name.data();
}

ProcessIdentity this_process() {
    const auto facts = facts_of(::getpid());
    return {host_name(), system_now(), ::getpid(), facts ? facts->start : 0};
}

bool is_on_this_system(const ProcessIdentity& who) {
    return who.process > 0 && !who.system.empty() && who.system == system_now() && who.host == host_name();
}

bool is_gone(const ProcessIdentity& who) {
    if (!is_on_this_system(who)) return false;
    if (::kill(static_cast<pid_t>(who.process), 0) != 0 && errno == ESRCH) return true;
    // Where /proc hides the processes of others this stays undecided.
    const auto facts = facts_of(who.process);
    return facts && (facts->state == 'Z' || facts->state == 'X' || facts->start != who.start);
}

std::string described(const ProcessIdentity& who) {
    if (who.process == 0) return "an unknown process";
    return fmt::format("process {} on {}", who.process, who.host);
}

}  // namespace plimsoll::store

#include "plimsoll/lab/slurm/slurm.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/process.h"
#include "plimsoll/base/text.h"
#include "plimsoll/store/disk.h"

namespace plimsoll::lab {
namespace {

// States from which a task ends without our doing; everything else waits, runs or comes back.
constexpr std::array<std::string_view, 10> ended_states{
    "BOOT_FAIL", "CANCELLED", "COMPLETED",     "DEADLINE", "FAILED",
    "PREEMPTED", "NODE_FAIL", "OUT_OF_MEMORY", "TIMEOUT",  "REVOKED"};
constexpr std::array<std::string_view, 5> at_work{"RUNNING", "COMPLETING", "SUSPENDED", "STOPPED",
                                                  "SIGNALING"};

// How many ids one call of scancel gets.
constexpr std::size_t ids_a_call = 1000;

constexpr std::chrono::milliseconds between_questions{20};

// How a program ended; nothing when `stop` said so before, and it was ended.
std::optional<ProcessEnd> end_of(Process process, const std::function<bool()>& stop) {
    if (!stop) return process.wait();
    while (!stop())
        if (const auto end = process.wait_for(between_questions)) return end;
    return std::nullopt;
}

// A file in memory that a child process writes to.
class Capture {
  public:
    static Result<Capture> make() {
        const int descriptor = ::memfd_create("output", MFD_CLOEXEC);
        if (descriptor < 0) return io_error("output", std::strerror(errno));
        return Capture(descriptor);
    }
    [[nodiscard]] std::string path() const { return fmt::format("/proc/self/fd/{}", file_.get()); }
    [[nodiscard]] std::string text() const {
        std::string all;
        std::array<char, 4096> block{};
        for (ssize_t size = 1; size > 0;) {
            size = ::pread(file_.get(), block.data(), block.size(), static_cast<off_t>(all.size()));
            if (size > 0) all.append(block.data(), static_cast<std::size_t>(size));
        }
        return all;
    }

  private:
    explicit Capture(int descriptor) : file_(descriptor) {}
    store::Descriptor file_;
};

std::string one_line(const std::string& text) {
    std::vector<std::string> lines;
    for (const auto& line : split(text, '\n'))
        if (!trim(line).empty()) lines.emplace_back(trim(line));
    return join(lines, "; ");
}

// The first `most` - 1 fields, and the rest of the line.
std::vector<std::string> fields(std::string_view line, std::size_t most) {
    std::vector<std::string> found;
    while (found.size() + 1 < most && line.find('|') != std::string_view::npos) {
        found.emplace_back(line.substr(0, line.find('|')));
        line.remove_prefix(line.find('|') + 1);
    }
    found.emplace_back(line);
    return found;
}

// "array|index|job|state|reason|name"; jobs that are no arrays have no index.
std::optional<SlurmTask> queued_task(const std::string& line) {
    const auto parts = fields(line, 6);
    if (parts.size() != 6) return std::nullopt;
    const auto index = parse_integer(parts[1], "index");
    if (!index.ok()) return std::nullopt;
    return SlurmTask{parts[0], *index, parts[2], parts[3], parts[5], parts[4]};
}

// "123_4|CANCELLED by 0".
std::optional<SlurmTask> accounted_task(const std::string& line) {
    const auto parts = fields(line, 2);
    const auto bar = parts[0].find('_');
    if (parts.size() != 2 || bar == std::string::npos) return std::nullopt;
    const auto index = parse_integer(parts[0].substr(bar + 1), "index");
    if (!index.ok()) return std::nullopt;
    return SlurmTask{
        parts[0].substr(0, bar), *index, "", parts[1].substr(0, parts[1].find(' ')), "", parts[1]};
}

template <class Parse>
std::vector<SlurmTask> tasks_in(const std::string& text, Parse parse) {
    std::vector<SlurmTask> tasks;
    for (const auto& line : split(text, '\n'))
        if (auto task = parse(line)) tasks.push_back(std::move(*task));
    return tasks;
}

// The value in "Name   = value" or "Name=value", up to white space.
std::optional<std::string> value_after(std::string_view text, std::string_view name) {
    const auto start = text.find(name);
    if (start == std::string_view::npos) return std::nullopt;
    text.remove_prefix(start + name.size());
    text.remove_prefix(std::min(text.find_first_not_of(" ="), text.size()));
    return std::string(text.substr(0, text.find_first_of(" \n")));
}

}  // namespace

bool SlurmTask::live() const { return std::ranges::find(ended_states, state) == ended_states.end(); }
bool SlurmTask::running() const { return std::ranges::find(at_work, state) != at_work.end(); }

Result<std::string> Slurm::output_of(const std::string& program,
                                     const std::vector<std::string>& arguments) const {
    PLIMSOLL_ASSIGN(out, Capture::make());
    PLIMSOLL_ASSIGN(err, Capture::make());
    ProcessRequest request;
    request.program = folder_.empty() ? std::filesystem::path(program) : folder_ / program;
    request.arguments = arguments;
    request.out = out.path();
    request.err = err.path();
    auto process = Process::start(request);
    if (!process.ok() && process.error().kind == ErrorKind::not_found)
        return not_found(program, "no such program; is this a machine that submits to Slurm?");
    if (!process.ok()) return process.error();
    const auto end = end_of(std::move(process).value(), stop_);
    if (!end) return io_error(program, "was ended before it answered");
    if (end->ok()) return out.text();
    const std::string words = one_line(err.text());
    return bad_input(program, words.empty() ? fmt::format("ended with {}", end->exit_code) : words);
}

Slurm Slurm::until(std::function<bool()> stop) const {
    Slurm heeding = *this;
    heeding.stop_ = std::move(stop);
    return heeding;
}

Result<std::string> Slurm::submit(const std::filesystem::path& script, const std::string& after) const {
    std::vector<std::string> arguments{"--parsable"};
    if (!after.empty()) arguments.push_back("--dependency=afterany:" + after);
    arguments.push_back(script.string());
    PLIMSOLL_ASSIGN(text, output_of("sbatch", arguments));
    const std::string id(trim(text.substr(0, text.find(';'))));  // "123" or "123;cluster"
    if (id.empty() || id.find_first_not_of("0123456789") != std::string::npos)
        return bad_input("sbatch", fmt::format("printed no job id but '{}'", one_line(text)));
    return id;
}

Result<std::vector<SlurmTask>> Slurm::queue() const {
    PLIMSOLL_ASSIGN(
        text, output_of("squeue", {"--noheader", "--array", "--states=all",
                                   fmt::format("--user={}", ::geteuid()), "--format=%F|%K|%A|%T|%r|%j"}));
    return tasks_in(text, queued_task);
}

std::vector<SlurmTask> Slurm::accounted(const std::vector<std::string>& jobs) const {
    if (jobs.empty()) return {};
    const auto text = output_of("sacct", {"--noheader", "--parsable2", "--allocations",
                                          "--jobs=" + join(jobs, ","), "--format=JobID,State"});
    return text.ok() ? tasks_in(*text, accounted_task) : std::vector<SlurmTask>();
}

Status Slurm::cancel(const std::vector<std::string>& ids) const {
    for (std::size_t start = 0; start < ids.size(); start += ids_a_call) {
        const auto end = std::min(ids.size(), start + ids_a_call);
        const auto from = ids.begin();
        PLIMSOLL_RETURN_IF_ERROR(output_of(
            "scancel", {from + static_cast<std::ptrdiff_t>(start), from + static_cast<std::ptrdiff_t>(end)}));
    }
    return {};
}

Result<std::size_t> Slurm::most_tasks() const {
    PLIMSOLL_ASSIGN(text, output_of("scontrol", {"show", "config"}));
    const auto words = value_after(text, "MaxArraySize");
    const auto size = parse_integer(words.value_or(""), "MaxArraySize");
    if (!size.ok() || *size < 2)
        return bad_input("scontrol",
                         "show config says no MaxArraySize of 2 or more: this site has no job arrays");
    return static_cast<std::size_t>(*size);
}

Result<SlurmJob> Slurm::look_up(const std::string& job) const {
    PLIMSOLL_ASSIGN(text, output_of("scontrol", {"--oneliner", "show", "job", job}));
    const auto restarts = parse_integer(value_after(text, "Restarts").value_or(""), "Restarts");
    return SlurmJob{value_after(text, "JobState").value_or(""), restarts.ok() ? *restarts : 0};
}

Status Slurm::requeue(const std::string& job) const {
    PLIMSOLL_RETURN_IF_ERROR(output_of("scontrol", {"requeue", job}));
    return {};
}

}  // namespace plimsoll::lab

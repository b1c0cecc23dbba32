#include "plimsoll/lab/jobs/job_files.h"

#include <algorithm>
#include <cerrno>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/store/disk.h"
#include "plimsoll/store/run_folder.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_log_bytes = 16'384;

}  // namespace

std::string sweep_id(const Plan& plan) {
    std::vector<std::string> ids;
    for (const Job& job : plan.jobs) ids.push_back(job.id);
    std::ranges::sort(ids);
    return store::run_id(join(ids, "\n"));
}

fs::path sweep_folder(const Plan& plan, const fs::path& runs) { return runs / ".sweeps" / sweep_id(plan); }

JobFiles job_files(const fs::path& sweep_folder, const std::string& id) {
    return {sweep_folder / "jobs" / (id + ".toml"), sweep_folder / "jobs" / (id + ".log")};
}

fs::path worker_log(const fs::path& sweep_folder, std::size_t slot) {
    return sweep_folder / fmt::format("worker-{}.log", slot);
}

Status make_job_folder(const fs::path& sweep_folder) { return store::make_folders(sweep_folder / "jobs"); }

Status write_job_config(const JobFiles& files, const Job& job) {
    const std::string text = run::to_toml(job.config);
    if (const auto there = read_text(files.config); there.ok() && *there == text) return {};
    return atomic_write(files.config, text);
}

Status reserve_log(const fs::path& log) {
    constexpr int new_file = 0666;
    constexpr off_t room = 4096;
    const store::Descriptor file(::open(log.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, new_file));
    if (file.get() < 0) return store::write_error(log, errno);
    const off_t end = ::lseek(file.get(), 0, SEEK_END);
    // Systems that cannot reserve go without.
    if (::fallocate(file.get(), FALLOC_FL_KEEP_SIZE, end, room) == 0) return {};
    if (errno == ENOSPC || errno == EDQUOT) return store::write_error(log, errno);
    return {};
}

void append_log(const fs::path& log, const std::string& line) {
    std::ofstream file(log, std::ios::binary | std::ios::app);
    file << line << '\n';
}

std::uint64_t log_size(const fs::path& log) {
    std::error_code problem;
    const auto size = fs::file_size(log, problem);
    return problem ? 0 : size;
}

std::vector<std::string> last_lines(const fs::path& log, std::uint64_t start, std::size_t most) {
    std::error_code problem;
    const std::uint64_t size = fs::file_size(log, problem);
    if (problem || size <= start) return {};
    const std::uint64_t from = std::max(start, size - std::min(size, most_log_bytes));
    std::ifstream file(log, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(from));
    std::string text(size - from, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    std::vector<std::string> lines;
    for (const auto& line : split(text, '\n'))
        if (!trim(line).empty()) lines.push_back(line);
    if (lines.size() > most) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most));
    return lines;
}

}  // namespace plimsoll::lab

#include "plimsoll/lab/jobs/status.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "plimsoll/base/json.h"
#include "plimsoll/base/text.h"
#include "plimsoll/store/checkpoint.h"
#include "plimsoll/store/disk.h"
#include "plimsoll/store/run_list.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

// More than a row of metrics has.
constexpr std::streamoff tail_bytes = 4096;

// The end of a file; empty when it has none.
std::string tail_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) return "";
    const std::streamoff size = file.tellg(), length = std::min(size, tail_bytes);
    std::string text(static_cast<std::size_t>(length), '\0');
    file.seekg(size - length);
    file.read(text.data(), length);
    return text;
}

void take_last_row(JobState& state, const std::string& tail) {
    const auto end = tail.rfind('\n');
    if (end == std::string::npos) return;
    auto lines = split(std::string_view(tail).substr(0, end), '\n');
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        const auto row = parse_json(*line, "");  // the first one may be cut
        if (!row.ok() || !row->is_object() || !row->contains("step") || !row->contains("loss")) continue;
        if (row->at("step").is_number_integer()) state.step = row->at("step");
        if (row->at("loss").is_number()) state.loss = row->at("loss");
        return;
    }
}

// What a killed process, or a copy that was cut off, leaves in metrics.jsonl.
std::string half_line(const std::string& tail, JobPhase phase) {
    if (tail.empty() || tail.ends_with('\n') || phase == JobPhase::running) return "";
    if (phase == JobPhase::done)
        return "metrics.jsonl of this finished run ends in half a line: the copy is incomplete";
    return "metrics.jsonl ends in half a line; it is removed when the run resumes";
}

JobPhase phase_of(const store::RunState& state, bool held) {
    switch (state.phase) {
        case store::Phase::done:
            return JobPhase::done;
        case store::Phase::failed:
            return JobPhase::failed;
        default:
            return held ? JobPhase::running : JobPhase::interrupted;
    }
}

// Whether a trunk is as long as its branches need it.
bool is_long_enough(const Job& job, const fs::path& run_folder) {
    if (job.keep.empty()) return false;
    const auto checkpoint = store::latest_checkpoint(run_folder);
    return checkpoint.ok() && *checkpoint && (*checkpoint)->step >= job.keep.back();
}

}  // namespace

std::string phase_name(JobPhase phase) {
    constexpr std::array names{"missing", "interrupted", "running", "done", "failed"};
    return names.at(static_cast<std::size_t>(phase));
}

JobState job_state(const Job& job, const fs::path& runs) {
    JobState found;
    found.id = job.id;
    found.steps = job.work.steps;
    const fs::path folder = runs / job.id;
    const store::RunStatus run = store::run_status(folder);
    if (!run.exists) return found;
    if (!run.problem.empty()) {
        found.phase = JobPhase::interrupted;
        found.problem = run.problem;
        return found;
    }
    const bool reached = is_long_enough(job, folder);
    const bool ended =
        reached || run.state.phase == store::Phase::done || run.state.phase == store::Phase::failed;
    const bool held = !ended && run.holder.has_value();
    found.phase = reached ? JobPhase::done : phase_of(run.state, held);
    found.step = run.state.step;
    if (found.phase == JobPhase::failed) found.reason = run.state.reason;
    if (held) found.holder = store::described(run.holder->holder);
    const std::string tail = tail_of(folder / "metrics.jsonl");
    take_last_row(found, tail);
    found.problem = half_line(tail, found.phase);
    return found;
}

Result<std::vector<JobState>> job_states(const Plan& plan, const fs::path& runs) {
    std::error_code none;
    if (fs::exists(runs, none)) PLIMSOLL_RETURN_IF_ERROR(store::entries_of(runs));
    std::vector<JobState> states;
    for (const Job& job : plan.jobs) states.push_back(job_state(job, runs));
    return states;
}

}  // namespace plimsoll::lab

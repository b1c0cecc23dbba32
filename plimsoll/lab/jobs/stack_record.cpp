#include "plimsoll/lab/jobs/stack_record.h"

#include <algorithm>
#include <map>
#include <optional>

#include "plimsoll/base/files.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/text.h"
#include "plimsoll/store/line_file.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;
using Jobs = std::vector<std::size_t>;

fs::path record_file(const fs::path& sweep_folder) { return sweep_folder / "stacks.jsonl"; }

// A line as jobs of the plan; nothing when it is no record, or one of them is not in the plan.
std::optional<Jobs> jobs_in(const std::string& line, const std::map<std::string, std::size_t>& places) {
    const auto record = parse_json(line, "");
    if (!record.ok() || !record->is_object() || !record->contains("runs") || !record->at("runs").is_array())
        return std::nullopt;
    Jobs jobs;
    for (const Json& id : record->at("runs")) {
        const auto place = id.is_string() ? places.find(id.get<std::string>()) : places.end();
        if (place == places.end()) return std::nullopt;
        jobs.push_back(place->second);
    }
    return jobs;
}

std::vector<Jobs> recorded(const Plan& plan, const fs::path& sweep_folder) {
    const auto text = read_text(record_file(sweep_folder));
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < plan.jobs.size(); ++i) places.emplace(plan.jobs[i].id, i);
    std::vector<Jobs> stacks;
    if (!text.ok()) return stacks;
    for (const auto& line : split(trim(*text), '\n'))
        if (auto jobs = jobs_in(line, places)) stacks.push_back(std::move(*jobs));
    return stacks;
}

}  // namespace

Status note_stack(const fs::path& sweep_folder, const Plan& plan, const Stack& stack) {
    Json runs = Json::array();
    for (const StackMember& member : stack.members) runs.push_back(plan.jobs[member.index].id);
    PLIMSOLL_ASSIGN(file, store::LineFile::open(record_file(sweep_folder)));
    return file.append(Json{{"runs", std::move(runs)}}.dump());
}

std::vector<std::vector<std::size_t>> begun_stacks(const Plan& plan, const std::vector<JobState>& states,
                                                   const fs::path& sweep_folder,
                                                   const PackingOptions& options) {
    std::vector<Jobs> found;
    if (!options.stack) return found;
    const auto stacks = recorded(plan, sweep_folder);
    std::vector<std::size_t> last(plan.jobs.size(), stacks.size());  // the stack that a job was last in
    for (std::size_t k = 0; k < stacks.size(); ++k)
        for (const std::size_t job : stacks[k]) last[job] = k;
    for (std::size_t k = 0; k < stacks.size(); ++k) {
        const Jobs& jobs = stacks[k];
        const auto belongs = [&](std::size_t job) {
            return last[job] == k || states[job].phase == JobPhase::done;
        };
        const auto begun = [&](std::size_t job) {
            return last[job] == k && (states[job].phase == JobPhase::interrupted ||
                                      states[job].phase == JobPhase::running);  // about to be
        };
        if (jobs.size() > 1 &&
            jobs.size() <= most_in_stack(options.devices, plan.jobs[jobs.front()].config) &&
            std::ranges::all_of(jobs, belongs) && std::ranges::any_of(jobs, begun))
            found.push_back(jobs);
    }
    return found;
}

}  // namespace plimsoll::lab

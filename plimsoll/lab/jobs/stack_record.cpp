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

struct Record {
    Jobs jobs;
    std::size_t lanes = 0;
};

using Places = std::map<std::string, std::size_t>;  // of the ids in the plan

// A line as jobs of the plan; nothing when it is no record, or one of them is not in the plan.
std::optional<Record> record_in(const std::string& line, const Places& places) {
    const auto json = parse_json(line, "");
    if (!json.ok() || !json->is_object() || !json->contains("runs") || !json->at("runs").is_array() ||
        !json->contains("lanes") || !json->at("lanes").is_number_unsigned())
        return std::nullopt;
    Record record{{}, json->at("lanes").get<std::size_t>()};
    for (const Json& id : json->at("runs")) {
        const auto place = id.is_string() ? places.find(id.get<std::string>()) : places.end();
        if (place == places.end()) return std::nullopt;
        record.jobs.push_back(place->second);
    }
    return record;
}

std::vector<Record> records_of(const Plan& plan, const fs::path& sweep_folder) {
    std::vector<Record> records;
    const auto text = read_text(record_file(sweep_folder));
    if (!text.ok()) return records;
    Places places;
    for (std::size_t i = 0; i < plan.jobs.size(); ++i) places.emplace(plan.jobs[i].id, i);
    for (const auto& line : split(trim(*text), '\n'))
        if (auto record = record_in(line, places)) records.push_back(std::move(*record));
    return records;
}

// By the states of its jobs: has it begun, nothing of it, or neither (it ended, or lost its runs)?
std::optional<bool> has_begun(const Jobs& jobs, const std::vector<JobState>& states) {
    const auto is_begun = [&](std::size_t job) {
        return states[job].phase == JobPhase::interrupted || states[job].phase == JobPhase::running;
    };
    if (std::ranges::any_of(jobs, is_begun)) return true;
    const auto is_missing = [&](std::size_t job) { return states[job].phase == JobPhase::missing; };
    if (std::ranges::all_of(jobs, is_missing)) return false;
    return std::nullopt;
}

}  // namespace

Status note_stacks(const fs::path& sweep_folder, const Plan& plan, const std::vector<Jobs>& stacks,
                   std::size_t lanes) {
    if (stacks.empty()) return {};
    PLIMSOLL_ASSIGN(file, store::LineFile::open(record_file(sweep_folder)));
    for (const Jobs& jobs : stacks) {
        Json runs = Json::array();
        for (const std::size_t job : jobs) runs.push_back(plan.jobs[job].id);
        PLIMSOLL_RETURN_IF_ERROR(file.append(Json{{"runs", std::move(runs)}, {"lanes", lanes}}.dump()));
    }
    return {};
}

std::vector<std::vector<std::size_t>> noted_stacks(const Plan& plan, const std::vector<JobState>& states,
                                                   const fs::path& sweep_folder,
                                                   const PackingOptions& options) {
    std::vector<Jobs> found;
    if (!options.stack) return found;
    const auto records = records_of(plan, sweep_folder);
    std::vector<std::size_t> last(plan.jobs.size(), records.size());  // the record that a job was last in
    for (std::size_t k = 0; k < records.size(); ++k)
        for (const std::size_t job : records[k].jobs) last[job] = k;
    for (std::size_t k = 0; k < records.size(); ++k) {
        const Jobs& jobs = records[k].jobs;
        const auto belongs = [&](std::size_t job) {
            return last[job] == k || states[job].phase == JobPhase::done;
        };
        if (jobs.size() < 2 || !std::ranges::all_of(jobs, belongs) ||
            jobs.size() > most_in_stack(options.devices, plan.jobs[jobs.front()].config))
            continue;
        const auto begun = has_begun(jobs, states);
        if (begun && (*begun || records[k].lanes == lanes(options))) found.push_back(jobs);
    }
    return found;
}

}  // namespace plimsoll::lab

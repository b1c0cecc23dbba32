#include "plimsoll/lab/jobs/trunk_jobs.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/lab/sweep/trunks.h"
#include "plimsoll/store/run_folder.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

bool has_checkpoint(const fs::path& run_folder) {
    const auto checkpoint = store::latest_checkpoint(run_folder);
    return !checkpoint.ok() || checkpoint->has_value();  // a damaged one is for a person to see
}

}  // namespace

TrunkOfJob add_trunk_jobs(Plan& plan, const std::vector<std::size_t>& to_do, const fs::path& runs) {
    const auto starts = [&](std::size_t index) {
        return std::ranges::binary_search(to_do, index) && !has_checkpoint(runs / plan.jobs[index].id);
    };
    TrunkOfJob trunk_of_job;
    for (Trunk& trunk : trunks_of(plan, starts)) {
        for (const std::size_t branch : trunk.branches) trunk_of_job.emplace(branch, plan.jobs.size());
        plan.jobs.push_back(std::move(trunk.job));
    }
    return trunk_of_job;
}

double share_after_trunk(const Job& branch) {
    return static_cast<double>(branch.config.schedule.decay) / static_cast<double>(*branch.work.steps);
}

void take_trunks_out(SweepOutcome& outcome, std::size_t jobs, const TrunkOfJob& trunks) {
    for (const auto& [branch, trunk] : trunks) {
        const JobOutcome& held = outcome.jobs[trunk];
        JobOutcome& waits = outcome.jobs[branch];
        if (held.state != JobResult::elsewhere || waits.state != JobResult::waiting) continue;
        waits.state = JobResult::elsewhere;
        waits.reason = fmt::format("its trunk {}: {}", held.id, held.reason);
    }
    const auto first = outcome.jobs.begin() + static_cast<std::ptrdiff_t>(jobs);
    outcome.trunks.assign(first, outcome.jobs.end());
    outcome.jobs.erase(first, outcome.jobs.end());
    for (const JobOutcome& trunk : outcome.trunks)
        if (trunk.state == JobResult::failed)
            outcome.notes.push_back(
                fmt::format("trunk {}: {}; its runs train without it", trunk.id, trunk.reason));
}

}  // namespace plimsoll::lab

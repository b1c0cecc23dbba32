#include "plimsoll/lab/sweep/trunks.h"

#include <algorithm>
#include <map>

#include "plimsoll/base/format.h"
#include "plimsoll/run/trunk.h"

namespace plimsoll::lab {
namespace {

// The step at which a job leaves its trunk; 0 when it has none.
std::int64_t leaves_at(const Job& job) {
    if (!job.config.schedule.share_trunk || !job.work.steps) return 0;
    return run::branching_step(job.config, *job.work.steps);
}

Trunk trunk_for(const Job& branch, run::RunConfig config, std::string id) {
    Trunk trunk{{std::move(id), std::move(config), {}, branch.parameters, branch.counted, branch.work}, {}};
    trunk.job.work.steps = 0;
    return trunk;
}

void add_branch(Trunk& trunk, std::size_t index, std::int64_t step) {
    auto& keep = trunk.job.keep;
    const auto place = std::ranges::lower_bound(keep, step);
    if (place == keep.end() || *place != step) keep.insert(place, step);
    trunk.job.work.steps = keep.back();
    trunk.branches.push_back(index);
}

}  // namespace

std::vector<Trunk> trunks_of(const Plan& plan, const std::function<bool(std::size_t)>& wanted) {
    std::vector<Trunk> trunks;
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
        const std::int64_t step = leaves_at(plan.jobs[i]);
        if (step == 0 || (wanted && !wanted(i))) continue;
        auto config = run::trunk_of(plan.jobs[i].config);
        const std::string id = run::run_hash(*config);
        const auto [place, fresh] = places.emplace(id, trunks.size());
        if (fresh) trunks.push_back(trunk_for(plan.jobs[i], std::move(*config), id));
        add_branch(trunks[place->second], i, step);
    }
    return trunks;
}

std::vector<Work> shared_work(const Plan& plan, const std::vector<Trunk>& trunks) {
    std::vector<Work> all;
    for (const Job& job : plan.jobs) all.push_back(job.work);
    for (const Trunk& trunk : trunks)
        for (const std::size_t branch : trunk.branches)
            all[branch].steps = *all[branch].steps - leaves_at(plan.jobs[branch]);
    for (const Trunk& trunk : trunks) all.push_back(trunk.job.work);
    return all;
}

std::string trunk_text(const Trunk& trunk) {
    const std::size_t runs = trunk.branches.size();
    return fmt::format("trunk of {} {}: {} steps", runs, runs == 1 ? "run" : "runs",
                       arch::Count(*trunk.job.work.steps).grouped());
}

}  // namespace plimsoll::lab

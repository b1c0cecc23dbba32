#include "plimsoll/train/branch.h"

#include "plimsoll/base/format.h"
#include "plimsoll/run/trunk.h"

namespace plimsoll::train {
namespace {

namespace fs = std::filesystem;

// Device, processes and stack of the last session; what is not known is left out.
Json computed_how(const fs::path& trunk) {
    Json how = Json::object();
    const auto all = read_json(trunk / "environment.json");
    if (!all.ok() || !all->is_object() || !all->contains("sessions")) return how;
    const Json& sessions = all->at("sessions");
    if (!sessions.is_array() || sessions.empty() || !sessions.back().is_object()) return how;
    for (const char* key : {"device", "processes", "stack"})
        if (sessions.back().contains(key)) how[key] = sessions.back().at(key);
    return how;
}

}  // namespace

Result<TrunkPoint> trunk_point(const fs::path& runs, const std::string& id, const run::RunConfig& branch,
                               std::int64_t steps) {
    const fs::path trunk = runs / id;
    const std::int64_t last = run::branching_step(branch, steps);
    PLIMSOLL_ASSIGN(found, store::checkpoint_up_to(trunk, last));
    if (!found)
        return not_found(trunk.string(), fmt::format("there is no checkpoint of step {} or before", last));
    PLIMSOLL_ASSIGN(rows, store::metrics_before(trunk, *found));
    return TrunkPoint{*found, std::move(rows), computed_how(trunk)};
}

}  // namespace plimsoll::train

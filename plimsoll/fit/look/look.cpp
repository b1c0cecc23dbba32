#include "plimsoll/fit/look/look.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/fit/look/look_task.h"
#include "plimsoll/fit/propose/propose.h"

namespace plimsoll::fit {
namespace {

constexpr std::array modality_names{"text", "tokens", "images", "pairs", "sequences"};
constexpr std::array goal_names{"bits per byte", "accuracy"};

// Steps of a look: reading, dependence, and one for each way to cut the data.
constexpr std::uint64_t expected_steps = 8;

}  // namespace

std::string_view name_of(Modality modality) { return modality_names.at(static_cast<std::size_t>(modality)); }
std::string_view name_of(Goal goal) { return goal_names.at(static_cast<std::size_t>(goal)); }

std::string value_unit(const DataLook& look) {
    if (look.goal == Goal::accuracy) return "% accuracy";
    return look.modality == Modality::text ? "bits per byte" : "bits per token";
}

std::int64_t LookTask::parameters() const {
    return request.parameters > 0 ? request.parameters : budget_by_compute(request);
}

Result<DataLook> look(const FitRequest& request, const ProgressCallback& progress) {
    std::uint64_t done = 0;
    const auto advance = [&] {
        ++done;
        if (progress) progress(std::min(done, expected_steps - 1), expected_steps);
    };
    if (progress) progress(0, expected_steps);
    PLIMSOLL_ASSIGN(loaded, load_look_data(request));
    advance();
    const LookTask task{request, loaded.name, advance};
    auto seen = std::visit([&](const auto& set) { return look_at(set, task); }, loaded.set);
    if (progress && seen.ok()) progress(expected_steps, expected_steps);
    return seen;
}

}  // namespace plimsoll::fit

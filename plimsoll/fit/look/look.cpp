#include "plimsoll/fit/look/look.h"

#include <algorithm>

#include "plimsoll/fit/compute_budget.h"
#include "plimsoll/fit/look/look_task.h"
#include "plimsoll/fit/look/vocabularies.h"
#include "plimsoll/fit/propose/shape_maker.h"

namespace plimsoll::fit {
namespace {

// Steps of a look: reading, dependence, and one for each way to cut the data.
constexpr std::uint64_t expected_steps = 8;

Modality modality_of(const data::Dataset& set) {
    if (std::holds_alternative<data::Table>(set)) return Modality::rows;
    const bool text =
        std::holds_alternative<data::TextFiles>(set) || std::holds_alternative<data::Tokens>(set);
    return text ? Modality::text : Modality::images;  // or anything else that has classes
}

// A family that cannot read the data is refused before anything is computed from it.
Status check_families(const FitRequest& request, const data::Dataset& set) {
    for (const auto& family : request.families)
        PLIMSOLL_RETURN_IF_ERROR(check_reads(family, modality_of(set)));
    return {};
}

}  // namespace

std::int64_t LookTask::parameters() const {
    return request.parameters > 0 ? request.parameters : budget_by_compute(request);
}

bool wants_bytes(const FitRequest& request) {
    const auto& asked = request.vocabularies;
    return asked.empty() || std::ranges::any_of(asked, [](auto size) { return size <= 257; });
}

std::vector<std::int64_t> wanted_vocabularies(const LookTask& task, std::uint64_t training_bytes,
                                              std::vector<std::string>& notes) {
    std::vector<std::int64_t> sizes;
    for (const std::int64_t size : task.request.vocabularies)
        if (size > 257 && std::ranges::find(sizes, size) == sizes.end()) sizes.push_back(size);
    if (task.request.vocabularies.empty()) sizes = vocabulary_ladder(training_bytes, task.parameters());
    if (sizes.empty() || !task.request.out.empty()) return sizes;
    notes.push_back("Without a folder to keep them in no vocabulary is trained; bytes only.");
    return {};
}

Result<DataLook> look(const FitRequest& request, const ProgressCallback& progress) {
    std::uint64_t done = 0;
    const auto advance = [&] {
        ++done;
        if (progress) progress(std::min(done, expected_steps - 1), expected_steps);
    };
    if (progress) progress(0, expected_steps);
    PLIMSOLL_ASSIGN(loaded, load_look_data(request));
    PLIMSOLL_RETURN_IF_ERROR(check_families(request, loaded.set));
    advance();
    const LookTask task{request, loaded.name, advance};
    auto seen = std::visit([&](const auto& set) { return look_at(set, task); }, loaded.set);
    if (progress && seen.ok()) progress(expected_steps, expected_steps);
    return seen;
}

}  // namespace plimsoll::fit

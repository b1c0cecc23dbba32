#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plimsoll/base/result.h"
#include "plimsoll/run/run_config.h"

namespace plimsoll::lab {

// What a run has to compute: arch's training FLOPs (3 x forward); evaluations are not in it.
struct Work {
    double flops_per_step = 0;
    std::optional<std::int64_t> steps;  // of the whole run; nothing when the length of an epoch is not known

    [[nodiscard]] std::optional<double> flops() const {
        if (!steps) return std::nullopt;
        return flops_per_step * static_cast<double>(*steps);
    }
};

// Training examples of an epoch, as the trainer counts them, where the name of the set says it: the sets of
// the catalogue, and synthetic ones (text only as bytes). Files are not opened.
std::optional<std::int64_t> epoch_examples(const run::RunConfig& config);

// The work of a run; an error when its settings do not go with its number of steps (a longer warm-up).
Result<Work> work_of(const run::RunConfig& config);

}  // namespace plimsoll::lab

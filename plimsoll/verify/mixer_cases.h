#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "plimsoll/verify/attention_cases.h"

namespace plimsoll::verify {

// A random square mixer on n x m entries with a partition; the output is entry (0, 0).
struct MixerCase {
    std::int64_t rows = 1, cols = 1, depth = 1;
    std::string partition = "rows";
    bool residual = false;  // in every layer

    // "2x4 p=3 rows".
    [[nodiscard]] std::string name() const;
    [[nodiscard]] RankCase question() const;
};

// The mixers every bound is tested against, smallest first.
std::vector<MixerCase> mixer_cases(Effort effort);

using MixerBound = std::function<std::optional<theory::Integer>(const MixerCase&)>;
std::vector<Trial> mixer_trials(const std::vector<MixerCase>& cases, Comparison compare,
                                const MixerBound& bound);
// The same on the cases of the effort that is asked for.
std::function<std::vector<Trial>(Effort)> on_mixers(Comparison compare, MixerBound bound);

// NAVON-SUPINF: every balanced partition of the entries, output (0, 0).
std::vector<Trial> sup_inf_trials(Effort effort);

}  // namespace plimsoll::verify

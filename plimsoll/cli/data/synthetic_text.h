#pragma once

#include <optional>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/data/synthetic/synthetic.h"

namespace plimsoll::cli {

// A made set with what is known about it; the rank of its teacher is measured when there is one.
struct SyntheticReport {
    data::Synthetic set;
    std::optional<std::size_t> rank;  // of the teacher, split in halves
    bool rank_is_exact = false;
};
Result<SyntheticReport> report_synthetic(const std::string& name);

void print_synthetic(const SyntheticReport& report);
Json synthetic_json(const SyntheticReport& report);

// The kinds with their settings, for people.
void print_synthetic_kinds();

}  // namespace plimsoll::cli

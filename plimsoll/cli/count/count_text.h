#pragma once

#include "plimsoll/arch/count.h"
#include "plimsoll/audit/models/predicted_count.h"
#include "plimsoll/base/json.h"

namespace plimsoll::cli {

// Prints the figures of a network with the conventions behind them.
void print_count(const arch::ArchSpec& spec, const arch::CountReport& report);

// Prints the parameters of a model that no spec describes, and why none does.
void print_predicted(const formats::ModelShape& shape, const audit::PredictedCount& count,
                     const Error& no_spec);
Json predicted_json(const formats::ModelShape& shape, const audit::PredictedCount& count,
                    const Error& no_spec);

// Prints the names of the families.
void print_families();

// Prints the keys of a family with what is allowed.
void print_keys(const arch::FamilyInfo& family);

// All families with all keys.
Json families_json();

}  // namespace plimsoll::cli

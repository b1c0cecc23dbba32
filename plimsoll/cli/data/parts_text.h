#pragma once

#include "plimsoll/base/json.h"
#include "plimsoll/data/describe/describe.h"
#include "plimsoll/run/part_report.h"

namespace plimsoll::cli {

// What `train` and `fit` would train on and hold out; the error says why there are no two parts.
Result<run::PartReport> parts_of(const data::DataReport& report);

// The parts, their balance, equal examples between them, and what fit would do, for people.
void print_parts(const data::DataReport& report);
// The same for programs.
Json parts_json(const data::DataReport& report);

}  // namespace plimsoll::cli

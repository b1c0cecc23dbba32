#pragma once

#include "plimsoll/base/json.h"
#include "plimsoll/data/describe/describe.h"

namespace plimsoll::cli {

// What `data info` says, for people.
void print_data(const data::DataReport& report);
// The same for programs.
Json to_json(const data::DataReport& report);

}  // namespace plimsoll::cli

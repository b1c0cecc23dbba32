#pragma once

#include <string>

#include "plimsoll/base/json.h"
#include "plimsoll/data/describe/table_report.h"

namespace plimsoll::cli {

// The columns of a table and its first rows, for people.
std::string table_facts_text(const data::TableReport& report);
// The same for programs.
Json table_facts_json(const data::TableReport& report);

}  // namespace plimsoll::cli

#pragma once

#include <vector>

#include "plimsoll/audit/report.h"
#include "plimsoll/base/json.h"

namespace plimsoll::cli {

// The whole report of one model; `explain` adds the sentences of every finding, not only of those that call
// for something.
void print_report(const audit::Report& report, bool explain);

// Several models side by side.
void print_comparison(const std::vector<audit::Report>& reports);

// The object of a target that could not be opened: the keys of a report, null, and the error.
Json failed_target_json(const std::string& target, const Error& error);

}  // namespace plimsoll::cli

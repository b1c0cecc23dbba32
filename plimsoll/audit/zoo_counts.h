#pragma once

#include <optional>
#include <string>

#include "plimsoll/audit/models/zoo.h"

namespace plimsoll::audit {

// How far the count of a row is from what its authors print, as a share of that; nothing where one is
// missing.
std::optional<double> published_difference(const ZooRow& row);

// The count of every model of the zoo beside the published one, as a Markdown table: the table of
// docs/COUNTING.md.
std::string zoo_counts_markdown();

}  // namespace plimsoll::audit

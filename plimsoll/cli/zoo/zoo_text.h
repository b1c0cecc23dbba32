#pragma once

#include <vector>

#include "plimsoll/audit/models/zoo.h"
#include "plimsoll/base/json.h"

namespace plimsoll::cli {

// The rows as a table, then their sources, numbered.
void print_zoo(const std::vector<const audit::ZooRow*>& rows);

// Everything that is known of one model: its numbers, its parameters by part, where the row comes from.
void print_zoo_row(const audit::ZooRow& row);

// One object per row: its cells by column, numbers as numbers, with the ratios and the confidence.
Json zoo_json(const std::vector<const audit::ZooRow*>& rows);

// The rows as CSV with the headings of data/zoo.csv.
void print_zoo_csv(const std::vector<const audit::ZooRow*>& rows);

}  // namespace plimsoll::cli

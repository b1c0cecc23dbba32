#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/report/figure_file.h"
#include "plimsoll/report/table.h"

namespace plimsoll::report {

// A derived column that a table could not have, and why: "ratio needs the column channels".
struct MissingColumn {
    std::string name, reason;
};

// A table with its derived columns and what there is to say about them.
struct DerivedTable {
    Table table;
    std::vector<std::string> notes;  // "ratio: 2 rows have no value (division by zero)"
    std::vector<MissingColumn> missing;
};

// Adds the columns to a table, one after the other as they need each other. A row without a value that a
// formula needs has none; so has a row whose arithmetic has no answer, and a note counts those. A formula of
// columns that this table has not is left out and told in `missing`. Errors at the column's place: a name
// that the table has already, a circle, a column of text.
Result<DerivedTable> with_columns(const Table& table, const std::vector<DerivedColumn>& columns);

}  // namespace plimsoll::report

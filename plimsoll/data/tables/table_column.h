#pragma once

#include <string>
#include <string_view>

#include "plimsoll/base/result.h"
#include "plimsoll/data/tables/dialect.h"

namespace plimsoll::data {

// The column of a table that is called `field`; the error is at "field" and names those that are there.
Result<std::size_t> column_called(const TableHead& head, const std::string& field, const std::string& where);

// The cells of that column of a whole table as one text, with an empty line between two; missing ones are
// passed over.
Result<std::string> text_of_column(std::string_view text, const std::string& name, const std::string& field);

}  // namespace plimsoll::data

#pragma once

#include <string>

#include "plimsoll/base/result.h"
#include "plimsoll/data/dataset.h"

namespace plimsoll::data {

// Makes a column the label of a table and leaves out the rows where it has no value. Whole numbers with few
// different values (at most 1000, each five times on average) are classes; other numbers are to be predicted
// as they are. A label with one value is refused, as is one without any; `where` names the file.
Status label_by_numbers(NumberColumn column, const std::string& where, Table& table);
Status label_by_categories(CategoryColumn column, const std::string& where, Table& table);

}  // namespace plimsoll::data

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/data/dataset.h"

namespace plimsoll::data {

// As what a label of numbers is read.
enum class LabelAs { guessed, number, classes };

// The column that holds the labels, and as what.
struct LabelChoice {
    std::size_t column = 0;
    LabelAs as = LabelAs::guessed;
};

// What is behind the colon of "quality:number".
LabelAs label_as(std::string_view asked);

// What `asked` says ("quality", "quality:number", "quality:classes"), or nobody: a column with a usual name
// (label, target, class, y, species, ..., in capitals too), otherwise `last`, or the one before it where that
// says the splits.
Result<LabelChoice> label_choice(const std::vector<std::string>& columns, const std::string& asked,
                                 const std::string& where, std::size_t last);

// Makes a column the label of a table and leaves out the rows where it has no value. Whole numbers with few
// different values (at most 1000, each five times on average) are classes; other numbers are to be predicted
// as they are, unless `as` says otherwise. A label with one value is refused, as is one without any, and
// words as numbers; `where` names the file.
Status label_by_numbers(NumberColumn column, LabelAs as, const std::string& where, Table& table);
Status label_by_categories(CategoryColumn column, LabelAs as, const std::string& where, Table& table);

// A label that is a number, as the name of a class: "3", "0.5".
std::string class_name_of(float value);

}  // namespace plimsoll::data

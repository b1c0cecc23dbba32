#pragma once

#include "plimsoll/base/json.h"
#include "plimsoll/theory/ids/applicable.h"
#include "plimsoll/theory/ids/formula.h"
#include "plimsoll/theory/ids/vectors.h"

namespace plimsoll::cli {

// Every formula with its inputs and standing, for people and for programs.
void print_formulas();
Json formulas_json();

// One evaluated formula; reals to `digits` significant figures.
Status print_value(const theory::Formula& formula, const theory::Value& value, int digits);
Result<Json> value_json(const theory::Formula& formula, const Json& inputs, const theory::Value& value,
                        int digits);

// All bounds of a spec in one table.
void print_bounds(const theory::BoundTable& table);
Json bounds_json(const std::string& spec, const theory::BoundTable& table);

// The outcome of a check: differences first, then the count.
void print_check(const std::string& file, const theory::CheckReport& report);
Json check_json(const std::string& file, const theory::CheckReport& report);

}  // namespace plimsoll::cli

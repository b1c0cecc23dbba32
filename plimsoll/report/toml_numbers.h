#pragma once

#include <string>
#include <utility>

#include "plimsoll/base/toml_fields.h"

// Numbers of a TOML file that may be written as formulas.
namespace plimsoll::report {

// A number or a formula of numbers.
Result<double> number_in(const TomlFields& fields, const std::string& key);

// Two numbers, the first below the second.
Result<std::pair<double, double>> window_in(const TomlFields& fields, const std::string& key);

}  // namespace plimsoll::report

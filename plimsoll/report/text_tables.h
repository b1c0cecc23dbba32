#pragma once

#include "plimsoll/report/figure.h"
#include "plimsoll/report/sources.h"

namespace plimsoll::report {

// One line for each combination of `by`: mean and 95 % interval of each value over the seeds.
Result<TextTable> text_table(const TableSpec& spec, const Sources& sources);

}  // namespace plimsoll::report

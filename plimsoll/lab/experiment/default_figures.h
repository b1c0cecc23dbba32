#pragma once

#include "plimsoll/lab/jobs/rows.h"
#include "plimsoll/report/figure_file.h"

namespace plimsoll::lab {

// What a sweep without a figure.toml shows: the first key that moves against accuracy (text: the validation
// loss), a series for each value of the second, and a table of both. `runs` are its rows.
report::FigureSet default_figures(const std::vector<NamedPlan>& plans, const report::Table& runs);

}  // namespace plimsoll::lab

#pragma once

#include <map>
#include <string>
#include <vector>

#include "plimsoll/fit/page/fit_page_input.h"
#include "plimsoll/fit/page/roles.h"
#include "plimsoll/report/figure.h"
#include "plimsoll/report/table.h"

// The rows and tables of a fit's page; every number is the race's own.
namespace plimsoll::fit {

// One row for each run, with its candidate's numbers; `counts`: of the rate that is compared.
report::Table run_rows(const FitPageInput& input, const PageRoles& roles);
// The rows of the candidates: costs, capacity, place.
report::Table candidate_rows(const FitPageInput& input, const PageRoles& roles);
// Bits by distance: what was measured, and what chance alone gives.
report::Table dependence_rows(const DataLook& look);

// Candidates with their values by rung, findings that ask for something, inputs, splits, what was left out.
std::vector<report::TextTable> page_tables(const FitPageInput& input, const PageRoles& roles);

}  // namespace plimsoll::fit

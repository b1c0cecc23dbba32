#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/report/table.h"

// Experiments that need no training: rows that follow from theory.
namespace plimsoll::lab {

// What can be computed, by name.
struct Computation {
    std::string name;
    std::string meaning;
    // Rows for the arguments of an experiment.toml; every argument must be known.
    Result<report::Table> (*rows)(const Json& arguments) = nullptr;
};
const std::vector<Computation>& computations();

// The rows of the computation of that name; an error with near misses when there is none.
Result<report::Table> computed_rows(const std::string& name, const Json& arguments);

// Table 1 of Levine et al. 2020 by every reading of its rule, for sizes 10^7 to 10^12: columns `size`,
// `rule` (printed; real: the root of 12 L 9^L = size; rounded down, nearest, rounded up, which is what the
// text asks for; knee: of the repaired bound), `depth`, `width` (of 12 L d^2 = size), `threshold` (log_3 of
// it), `margin` (depth less threshold), `regime`, `printed_depth` (the table's), `agrees`.
Result<report::Table> levine_table1_rows(const Json& arguments);

// Corollary 1 of Levine et al. 2020: columns `deep_depth`, `deep_width`, `heads`, `bound` (printed, eq6,
// midk, ms), `shallow_depth`, `width`, `log10_width`, `printed_width`, `ratio` (width over the printed one).
Result<report::Table> levine_corollary1_rows(const Json& arguments);

}  // namespace plimsoll::lab

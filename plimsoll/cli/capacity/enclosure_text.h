#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/theory/attainment/enclosure_table.h"

namespace plimsoll::cli {

// Both proved ends of every shape, their ratio and the theorem behind the lower one.
void print_enclosures(const std::vector<theory::EnclosureRow>& rows);
// width,depth,heads,head_dim,T,log3_before,log3_lower,log3_upper,ratio,theorem,route
std::string enclosures_csv(const std::vector<theory::EnclosureRow>& rows);
Json enclosures_json(const std::vector<theory::EnclosureRow>& rows);
// A Vega-Lite 5 specification: the ratio of the ends against depth, a line for each width.
Json enclosures_vega(const std::vector<theory::EnclosureRow>& rows);

}  // namespace plimsoll::cli

#pragma once

#include "plimsoll/rank/rank_table.h"

namespace plimsoll::cli {

// One line per row, and what was skipped.
void print_rank_table(const rank::RankTable& table);

// A Vega-Lite 5 specification with the data inside: log10 of the rank against depth, bounds as lines.
Json rank_vega(const rank::RankTable& table);

}  // namespace plimsoll::cli

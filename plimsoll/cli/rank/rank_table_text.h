#pragma once

#include "plimsoll/rank/rank_table.h"

namespace plimsoll::cli {

// One line per row, and what was skipped.
void print_rank_table(const rank::RankTable& table);

}  // namespace plimsoll::cli

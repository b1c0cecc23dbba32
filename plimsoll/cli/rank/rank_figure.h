#pragma once

#include <string_view>

#include "plimsoll/rank/rank_table.h"
#include "plimsoll/report/vega/rank_vega.h"

namespace plimsoll::cli {

// The rows of a table placed by `x`, which is positions or a numeric key of the specs (depth, heads, vocab,
// ...); another word is an error.
Result<report::RankFigure> rank_figure(const rank::RankTable& table, std::string_view x);

// Whether every spec of the table has the number `x`; asked before anything is measured.
Status check_axis(const rank::TableQuestion& question, std::string_view x);

}  // namespace plimsoll::cli

#pragma once

#include <string_view>

#include "plimsoll/rank/rank_table.h"

namespace plimsoll::cli {

// A Vega-Lite 5 specification with the data inside: log10 of the rank against `x`, bounds as lines. `x` is
// positions or a numeric key of the specs (depth, heads, vocab, ...); another word is an error.
Result<Json> rank_vega(const rank::RankTable& table, std::string_view x);

// Whether every spec of the table has the number `x`; asked before anything is measured.
Status check_axis(const rank::TableQuestion& question, std::string_view x);

}  // namespace plimsoll::cli

#include "plimsoll/cli/rank/rank_table_text.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

using rank::RankRow;
using rank::RankTable;

double log10_of(std::size_t rank) { return std::log10(std::max(1.0, static_cast<double>(rank))); }

Mark row_mark(const RankRow& row) {
    if (!row.exact) return Mark::undecided;
    return row.bound && *row.bound == row.rank ? Mark::advised : Mark::passed;
}

}  // namespace

void print_rank_table(const RankTable& table) {
    fmt::print(
        "{}\n",
        wrapped(table.grid + (table.positions.empty() ? "" : ", " + table.positions + " positions"), 0, 2));
    Table text({{"layers"},
                {"series", Align::left},
                {"positions"},
                {"rank"},
                {"", Align::left},
                {"bound"},
                {"log10"},
                {"seconds"}});
    for (const auto& row : table.rows) {
        text.add({fmt::format("{}", row.depth), row.series,
                  row.positions ? fmt::format("{}", *row.positions) : "", fmt::format("{}", row.rank),
                  row.exact ? "exact" : "at least", row.bound ? fmt::format("{}", *row.bound) : "",
                  fmt::format("{:.3f}", log10_of(row.rank)), fmt::format("{:.2f}", row.seconds)},
                 row_mark(row));
    }
    text.print();
    const auto resumed =
        std::count_if(table.rows.begin(), table.rows.end(), [](const auto& row) { return row.resumed; });
    fmt::print("\n{} rows", table.rows.size());
    if (resumed > 0) fmt::print(", {} of them from the file", resumed);
    fmt::print(".  > no weights have more.  As a figure: --vega FILE\n");
    if (table.skipped.empty()) return;
    fmt::print("{}", wrapped(fmt::format("{} combinations skipped, first {}: {}", table.skipped.size(),
                                         table.skipped.front().text, table.skipped.front().reason),
                             0));
}

}  // namespace plimsoll::cli

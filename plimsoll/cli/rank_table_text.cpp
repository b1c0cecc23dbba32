#include "plimsoll/cli/rank_table_text.h"

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

std::string series_of(const RankRow& row) { return row.series.empty() ? "rank" : row.series; }

Mark mark_of(const RankRow& row) {
    if (!row.exact) return Mark::undecided;
    return row.bound && *row.bound == row.rank ? Mark::advised : Mark::passed;
}

Json measured_values(const RankTable& table) {
    Json values = Json::array();
    for (const auto& row : table.rows) {
        values.push_back({{"depth", row.depth},
                          {"log10_rank", log10_of(row.rank)},
                          {"rank", row.rank},
                          {"exact", row.exact},
                          {"series", series_of(row)}});
    }
    return values;
}

Json bound_values(const RankTable& table) {
    Json values = Json::array();
    for (const auto& row : table.rows) {
        for (const auto& bound : row.bounds) {
            values.push_back({{"depth", row.depth},
                              {"log10_rank", std::max(0.0, bound.log10)},
                              {"bound", bound.id},
                              {"series", series_of(row)}});
        }
    }
    return values;
}

Json axes() {
    return {
        {"x",
         {{"field", "depth"}, {"type", "quantitative"}, {"axis", {{"tickMinStep", 1}}}, {"title", "layers"}}},
        {"y", {{"field", "log10_rank"}, {"type", "quantitative"}, {"title", "separation rank, log10"}}},
        {"color", {{"field", "series"}, {"type", "nominal"}, {"title", Json()}}}};
}

Json measured_layer(const RankTable& table) {
    Json encoding = axes();
    encoding["shape"] = {{"field", "exact"}, {"type", "nominal"}, {"title", "exact"}};
    encoding["tooltip"] = {{{"field", "series"}}, {{"field", "depth"}}, {{"field", "rank"}}};
    return {{"mark", {{"type", "point"}, {"filled", true}, {"size", 70}}},
            {"data", {{"values", measured_values(table)}}},
            {"encoding", encoding}};
}

Json bounds_layer(const RankTable& table) {
    Json encoding = axes();
    encoding["strokeDash"] = {{"field", "bound"}, {"type", "nominal"}, {"title", "bound"}};
    encoding["tooltip"] = {{{"field", "bound"}}, {{"field", "series"}}, {{"field", "log10_rank"}}};
    return {{"mark", {{"type", "line"}, {"strokeWidth", 1.4}}},
            {"data", {{"values", bound_values(table)}}},
            {"encoding", encoding}};
}

}  // namespace

void print_rank_table(const RankTable& table) {
    fmt::print("{}{}\n\n", table.grid, table.positions.empty() ? "" : ", " + table.positions + " positions");
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
                 mark_of(row));
    }
    text.print();
    const auto resumed =
        std::count_if(table.rows.begin(), table.rows.end(), [](const auto& row) { return row.resumed; });
    fmt::print("\n{} rows", table.rows.size());
    if (resumed > 0) fmt::print(", {} of them from the file", resumed);
    fmt::print(".  > the bound is attained.  As a figure: --vega FILE\n");
    if (table.skipped.empty()) return;
    fmt::print("{}", wrapped(fmt::format("{} combinations skipped, first {}: {}", table.skipped.size(),
                                         table.skipped.front().text, table.skipped.front().reason),
                             0));
}

Json rank_vega(const RankTable& table) {
    return {{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
            {"title", "Separation rank of " + table.grid +
                          (table.positions.empty() ? "" : " at " + table.positions + " positions")},
            {"width", 640},
            {"height", 400},
            {"layer", Json::array({bounds_layer(table), measured_layer(table)})}};
}

}  // namespace plimsoll::cli

#include "plimsoll/cli/data/table_facts.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/cli/print.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t most_columns_shown = 20, most_cell = 24;

std::string holds(const data::TableColumnReport& column, std::uint64_t rows) {
    if (column.missing == rows) return "nothing";
    if (!column.is_number) return fmt::format("{} categories", column.different);
    return fmt::format("numbers {:.4g} to {:.4g}, mean {:.4g}", column.smallest, column.largest, column.mean);
}

std::vector<std::string> cells_of(const data::TableColumnReport& column, std::uint64_t rows, bool label) {
    std::vector<std::string> cells{plimsoll::printable(column.name, most_cell) + (label ? " (label)" : ""),
                                   holds(column, rows), std::to_string(column.missing)};
    std::string first;
    for (const auto& value : column.first)
        first += (first.empty() ? "" : ", ") + plimsoll::printable(value, most_cell);
    cells.push_back(first);
    return cells;
}

}  // namespace

std::string table_facts_text(const data::TableReport& report) {
    std::string text = fmt::format(
        "  {} rows, {} columns and the label {}{}: {}\n\n", report.rows, report.columns.size() - 1,
        plimsoll::printable(report.label), report.guessed ? " (guessed; --label)" : "",
        report.class_names.empty() ? "a number" : fmt::format("{} classes", report.class_names.size()));
    Table table({{"column", Align::left}, {"holds", Align::left}, {"missing"}, {"first rows", Align::left}});
    const std::size_t label = report.columns.size() - 1, shown = std::min(label, most_columns_shown);
    for (std::size_t i = 0; i < shown; ++i) table.add(cells_of(report.columns[i], report.rows, false));
    table.add(cells_of(report.columns[label], report.rows, true));
    text += table.text(false);
    if (label > shown) text += fmt::format("  and {} more columns (--json has all)\n", label - shown);
    for (const auto& column : report.left_out_columns)
        text += fmt::format("- column {} is left out: {}\n", plimsoll::printable(column.name), column.why);
    if (report.left_out > 0) text += fmt::format("- {} rows without a label are left out\n", report.left_out);
    return text;
}

Json table_facts_json(const data::TableReport& report) {
    Json columns = Json::array(), splits = Json::array(), left_out = Json::array();
    for (const auto& column : report.columns)
        columns.push_back({{"name", column.name},
                           {"kind", column.is_number ? "number" : "category"},
                           {"missing", column.missing},
                           {"smallest", column.is_number ? Json(column.smallest) : Json()},
                           {"mean", column.is_number ? Json(column.mean) : Json()},
                           {"largest", column.is_number ? Json(column.largest) : Json()},
                           {"different", column.is_number ? Json() : Json(column.different)},
                           {"first", column.first}});
    for (const auto& split : report.splits)
        splits.push_back({{"name", split.name}, {"count", split.count}, {"histogram", split.histogram}});
    for (const auto& column : report.left_out_columns)
        left_out.push_back({{"name", column.name}, {"why", column.why}});
    return {{"rows", report.rows},           {"label", report.label},      {"guessed", report.guessed},
            {"classes", report.class_names}, {"columns", columns},         {"splits", splits},
            {"left_out_columns", left_out},  {"left_out", report.left_out}};
}

}  // namespace plimsoll::cli

#include "plimsoll/store/run_export.h"

#include <algorithm>
#include <set>

#include "plimsoll/base/csv.h"
#include "plimsoll/store/run_folder.h"

namespace plimsoll::store {
namespace {

void add_line(std::string& text, const std::vector<std::string>& cells) { text += csv_line(cells) + '\n'; }

std::vector<std::string> all_columns(const RunTable& table) {
    std::vector<std::string> columns{"id"};
    columns.insert(columns.end(), table.keys.begin(), table.keys.end());
    return columns;
}

// Where each column lies in a row; the table's width for the id, and for what it does not have.
std::vector<std::size_t> positions_of(const RunTable& table, const std::vector<std::string>& columns) {
    std::vector<std::size_t> positions;
    for (const auto& column : columns) {
        const auto found = std::ranges::find(table.keys, column);
        positions.push_back(static_cast<std::size_t>(found - table.keys.begin()));
    }
    return positions;
}

// Rows of metrics with their run; what flattened() makes of each.
struct MetricRow {
    const std::string* id;
    Facts facts;
};

Result<std::vector<MetricRow>> metric_rows(const std::filesystem::path& runs, const RunTable& table) {
    std::vector<MetricRow> rows;
    for (const RunRow& run : table.rows) {
        const auto metrics = read_metrics(runs / run.id);
        if (!metrics.ok() && metrics.error().kind == ErrorKind::not_found) continue;
        if (!metrics.ok()) return metrics.error();
        for (const Json& row : *metrics) rows.push_back({&run.id, flattened(row)});
    }
    return rows;
}

}  // namespace

std::string table_csv(const RunTable& table, const std::vector<std::string>& columns) {
    const auto names = columns.empty() ? all_columns(table) : columns;
    const auto positions = positions_of(table, names);
    std::string text;
    add_line(text, names);
    for (const RunRow& row : table.rows) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (i > 0) text += ',';
            if (names[i] == "id")
                text += row.id;
            else if (positions[i] < row.cells.size())
                append_csv(text, cell_text(row.cells[positions[i]]));
        }
        text += '\n';
    }
    return text;
}

Json table_json(const RunTable& table, const std::vector<std::string>& columns) {
    const auto names = columns.empty() ? all_columns(table) : columns;
    const auto positions = positions_of(table, names);
    Json list = Json::array();
    for (const RunRow& row : table.rows) {
        Json object = Json::object();
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] == "id")
                append_member(object, "id", row.id);
            else if (positions[i] < row.cells.size() && !is_empty(row.cells[positions[i]]))
                append_member(object, names[i], cell_json(row.cells[positions[i]]));
        }
        list.push_back(std::move(object));
    }
    return list;
}

Result<std::string> metrics_csv(const std::filesystem::path& runs, const RunTable& table) {
    PLIMSOLL_ASSIGN(rows, metric_rows(runs, table));
    std::set<std::string> keys;
    for (const MetricRow& row : rows)
        for (const auto& [key, value] : row.facts) keys.insert(key);
    keys.erase("step");
    std::vector<std::string> names{"id", "step"};
    names.insert(names.end(), keys.begin(), keys.end());
    std::string text;
    add_line(text, names);
    for (const MetricRow& row : rows) {
        std::vector<std::string> cells(names.size());
        cells[0] = *row.id;
        for (const auto& [key, value] : row.facts)
            cells[static_cast<std::size_t>(std::ranges::find(names, key) - names.begin())] = cell_text(value);
        add_line(text, cells);
    }
    return text;
}

Result<Json> metrics_json(const std::filesystem::path& runs, const RunTable& table) {
    PLIMSOLL_ASSIGN(rows, metric_rows(runs, table));
    Json list = Json::array();
    for (const MetricRow& row : rows) {
        Json object{{"id", *row.id}};
        for (const auto& [key, value] : row.facts) append_member(object, key, cell_json(value));
        list.push_back(std::move(object));
    }
    return list;
}

}  // namespace plimsoll::store

#include "plimsoll/cli/zoo/zoo_text.h"

#include <algorithm>

#include "plimsoll/audit/models/predicted_count.h"
#include "plimsoll/audit/shape_numbers.h"
#include "plimsoll/base/csv.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

using audit::ZooRow;

// Columns that are texts even when they look like numbers.
bool is_text(const std::string& column) {
    const auto texts = {"name",      "family", "modality", "kind",  "tied",      "config",
                        "published", "source", "check",    "notes", "count_note"};
    return std::find(texts.begin(), texts.end(), column) != texts.end();
}

Json cell_json(const std::string& column, const std::string& cell) {
    if (cell.empty()) return {};
    if (is_text(column)) return cell;
    const auto number = parse_integer(cell, column);
    return number.ok() ? Json(*number) : Json(cell);
}

std::string layers(const ZooRow& row) {
    const std::string depth = std::to_string(row.shape.depth.value_or(0));
    return row.shape.decoder_depth ? fmt::format("{}+{}", depth, *row.shape.decoder_depth) : depth;
}

std::string parameters(const ZooRow& row) {
    if (row.computed) return human_count(static_cast<double>(*row.computed));
    return row.published.substr(0, row.published.find(' '));
}

void print_cell(const std::string& column, const std::string& cell) {
    constexpr std::size_t column_width = 18;
    fmt::print("  {:<{}}{}", column, column_width - 2, wrapped(cell, column_width).substr(column_width));
}

void print_count_of(const ZooRow& row) {
    const auto count = audit::predicted_parameters(row.shape);
    if (!count) return;
    fmt::print("\n");
    Table table({{"part", Align::left}, {"parameters"}});
    for (const auto& part : count->parts) table.add({part.name, part.parameters.grouped()});
    table.add({"total", count->parameters.grouped()});
    table.print();
}

// Where a row comes from and how sure that is; rows share them.
std::string origin(const ZooRow& row) { return row.source + ". Check: " + row.check; }

}  // namespace

void print_zoo(const std::vector<const ZooRow*>& rows) {
    Table table({{"model", Align::left},
                 {"layers"},
                 {"width"},
                 {"heads"},
                 {"params"},
                 {"known", Align::left},
                 {"from"}});
    std::vector<std::string> origins;
    for (const ZooRow* row : rows) {
        auto at = std::find(origins.begin(), origins.end(), origin(*row));
        if (at == origins.end()) at = origins.insert(at, origin(*row));
        table.add({row->shape.name, layers(*row), std::to_string(row->shape.width.value_or(0)),
                   row->shape.heads ? std::to_string(*row->shape.heads) : "", parameters(*row),
                   std::string(audit::confidence(*row)), fmt::format("[{}]", at - origins.begin() + 1)});
    }
    table.print();
    fmt::print("\n");
    for (std::size_t i = 0; i < origins.size(); ++i)
        fmt::print("{}", wrapped(fmt::format("[{}] {}", i + 1, origins[i]), 0, 4));
    fmt::print("\n{} of {} models.  One of them: plimsoll audit {}\n", rows.size(), audit::zoo().size(),
               rows.empty() ? "t5-11b" : audit::zoo_argument(*rows.front()));
}

void print_zoo_row(const ZooRow& row) {
    fmt::print("{}\n\n", row.shape.name);
    const auto& columns = audit::zoo_columns();
    for (std::size_t i = 1; i < columns.size(); ++i)
        if (!row.cells[i].empty()) print_cell(columns[i], row.cells[i]);
    print_count_of(row);
    fmt::print("\n  plimsoll audit {0} judges it, plimsoll count {0} counts it\n", audit::zoo_argument(row));
}

Json zoo_json(const std::vector<const ZooRow*>& rows) {
    Json list = Json::array();
    const auto& columns = audit::zoo_columns();
    for (const ZooRow* row : rows) {
        Json object = Json::object();
        for (std::size_t i = 0; i < columns.size(); ++i)
            object[columns[i]] = cell_json(columns[i], row->cells[i]);
        const auto attention = audit::attention_over_width(row->shape),
                   rank = audit::input_rank_over_width(row->shape);
        object["attention_over_width"] = attention ? Json(*attention) : Json();
        object["input_rank_over_width"] = rank ? Json(*rank) : Json();
        object["confidence"] = audit::confidence(*row);
        list.push_back(std::move(object));
    }
    return list;
}

void print_zoo_csv(const std::vector<const ZooRow*>& rows) {
    fmt::print("{}\n", csv_line(audit::zoo_columns()));
    for (const ZooRow* row : rows) fmt::print("{}\n", csv_line(row->cells));
}

}  // namespace plimsoll::cli

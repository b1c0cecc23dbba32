#include "plimsoll/report/derived.h"

#include <algorithm>
#include <map>
#include <set>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/report/formula.h"

namespace plimsoll::report {
namespace {

struct Pending {
    const DerivedColumn* column;
    Formula formula;
};

bool is_number_word(const std::string& text) { return text == "nan" || text == "inf" || text == "-inf"; }

// Text in a column that a formula reads; a diverged run's nan is a number without a value.
Status refuse_text(const Table& table, std::size_t at, const Pending& pending) {
    for (const auto& row : table.rows) {
        const auto* text = std::get_if<std::string>(&row[at]);
        const bool truth = std::holds_alternative<bool>(row[at]);
        if (truth || (text != nullptr && !is_number_word(*text)))
            return bad_input(pending.column->place,
                             fmt::format("column {} holds '{}': formulas take numbers only",
                                         table.columns[at], printable(store::cell_text(row[at]))));
    }
    return {};
}

// Where the names of a formula lie in the table.
using Positions = std::map<std::string, std::size_t>;

Result<Positions> positions_of(const Table& table, const Pending& pending) {
    Positions positions;
    for (const auto& name : pending.formula.names()) {
        PLIMSOLL_ASSIGN(at, column_named(table, name, pending.column->place));
        PLIMSOLL_RETURN_IF_ERROR(refuse_text(table, at, pending));
        positions.emplace(name, at);
    }
    return positions;
}

Status compute(DerivedTable& out, const Pending& pending) {
    PLIMSOLL_ASSIGN(positions, positions_of(out.table, pending));
    std::map<std::string, std::size_t> reasons;
    for (auto& row : out.table.rows) {
        const FormulaValue value = pending.formula.value(
            [&](const std::string& name) { return finite_number(row[positions.at(name)]); });
        if (!value.reason.empty()) ++reasons[value.reason];
        Cell& cell = row.emplace_back();
        if (value.number) cell = *value.number;
    }
    out.table.columns.push_back(pending.column->name);
    for (const auto& [reason, count] : reasons)
        out.notes.push_back(fmt::format("{}: {} {} no value ({})", pending.column->name, count,
                                        count == 1 ? "row has" : "rows have", reason));
    return {};
}

bool has_column(const Table& table, const std::string& name) {
    return std::ranges::find(table.columns, name) != table.columns.end();
}

// The first name that is neither in the table nor still to come; empty when all are.
std::string first_unknown(const Pending& pending, const Table& table, const std::vector<Pending>& others) {
    for (const auto& name : pending.formula.names()) {
        const bool coming =
            std::ranges::any_of(others, [&](const Pending& other) { return other.column->name == name; });
        if (!has_column(table, name) && !coming) return name;
    }
    return "";
}

bool is_ready(const Pending& pending, const Table& table) {
    return std::ranges::all_of(pending.formula.names(),
                               [&](const std::string& name) { return has_column(table, name); });
}

Result<std::vector<Pending>> parsed(const Table& table, const std::vector<DerivedColumn>& columns) {
    std::vector<Pending> pending;
    for (const auto& column : columns) {
        if (has_column(table, column.name))
            return bad_input(column.place, fmt::format("the rows have a column {} already", column.name));
        PLIMSOLL_ASSIGN(formula, Formula::parse(column.formula, column.place));
        pending.push_back({&column, std::move(formula)});
    }
    return pending;
}

// Takes out those that need what nobody has, again and again: another may have needed them.
void take_out_missing(std::vector<Pending>& pending, DerivedTable& out) {
    for (std::size_t i = 0; i < pending.size();) {
        const std::string unknown = first_unknown(pending[i], out.table, pending);
        if (unknown.empty()) {
            ++i;
            continue;
        }
        out.missing.push_back(
            {pending[i].column->name, fmt::format("{} needs the column {}{}", pending[i].column->name,
                                                  unknown, suggestion(unknown, out.table.columns))});
        pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(i));
        i = 0;
    }
}

}  // namespace

Result<DerivedTable> with_columns(const Table& table, const std::vector<DerivedColumn>& columns) {
    PLIMSOLL_ASSIGN(pending, parsed(table, columns));
    DerivedTable out{table, {}, {}};
    take_out_missing(pending, out);
    while (!pending.empty()) {
        const auto next =
            std::ranges::find_if(pending, [&](const Pending& one) { return is_ready(one, out.table); });
        if (next == pending.end())
            return bad_input(pending.front().column->place,
                             fmt::format("column {} is made from itself", pending.front().column->name));
        PLIMSOLL_RETURN_IF_ERROR(compute(out, *next));
        pending.erase(next);
    }
    return out;
}

}  // namespace plimsoll::report

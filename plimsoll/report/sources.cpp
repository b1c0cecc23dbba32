#include "plimsoll/report/sources.h"

#include <algorithm>

#include "plimsoll/base/condition.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::report {
namespace {

// Whether the column `phase` decides a condition.
bool asks_for_phase(const Table& table, const std::string& text) {
    const auto condition = read_condition(text, {table.columns}, "");
    if (!condition.ok()) return false;
    const auto keys = keys_of(*condition);
    return std::ranges::find(keys, "phase") != keys.end();
}

std::vector<std::string> names_of(const std::map<std::string, DerivedTable>& tables) {
    std::vector<std::string> names;
    for (const auto& [name, table] : tables) names.push_back(name);
    return names;
}

}  // namespace

std::string counted(std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

bool Selection::has(std::string_view name) const {
    return std::ranges::find(source.table.columns, name) != source.table.columns.end();
}

Result<std::size_t> Selection::column(std::string_view name, const std::string& place) const {
    const auto missing = std::ranges::find(source.missing, name, &MissingColumn::name);
    if (missing != source.missing.end()) return bad_input(place, missing->reason);
    return column_named(source.table, name, place);
}

Result<Sources> Sources::make(const std::map<std::string, Table>& tables,
                              const std::vector<DerivedColumn>& columns, const std::string& first) {
    Sources sources;
    for (const auto& [name, table] : tables) {
        PLIMSOLL_ASSIGN(derived, with_columns(table, columns));
        sources.tables_.emplace(name, std::move(derived));
    }
    sources.first_ = !first.empty() ? first : tables.size() == 1 ? tables.begin()->first : "runs";
    return sources;
}

Result<Selection> Sources::select(const std::string& rows, const std::vector<std::string>& where,
                                  const std::string& place) const {
    const std::string& name = rows.empty() ? first_ : rows;
    const auto found = tables_.find(name);
    if (found == tables_.end())
        return bad_input(place, fmt::format("no rows '{}'{}", name, suggestion(name, names_of(tables_))));
    const Table& table = found->second.table;
    std::vector<std::string> phases, others;
    for (const auto& text : where) (asks_for_phase(table, text) ? phases : others).push_back(text);
    const bool has_phase = std::ranges::find(table.columns, "phase") != table.columns.end();
    if (phases.empty() && has_phase) phases.emplace_back("phase == done");
    PLIMSOLL_ASSIGN(asked, filtered(table, others, place));
    PLIMSOLL_ASSIGN(done, filtered(asked, phases, place));
    Selection selection{{std::move(done), {}, found->second.missing}, found->second.notes};
    const std::size_t left_out = asked.rows.size() - selection.table().rows.size();
    if (left_out > 0)
        selection.notes.push_back(
            fmt::format("{} of {} left out: not done", left_out, counted(asked.rows.size(), "row")));
    return selection;
}

}  // namespace plimsoll::report

#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "plimsoll/report/table.h"

namespace plimsoll::lab {

using Wanted = std::variant<double, std::string>;

inline bool fits(const report::Cell& cell, const Wanted& wanted) {
    if (const auto* number = std::get_if<double>(&wanted)) return report::finite_number(cell) == *number;
    return store::cell_text(cell) == std::get<std::string>(wanted);
}

// The cell of a column in the only row with these values; empty, and a failed test, when it is not the only
// one.
inline report::Cell cell_at(const report::Table& table, const std::map<std::string, Wanted>& where,
                            const std::string& column) {
    report::Cell found;
    int rows = 0;
    const auto at = [&](const std::string& name) {
        const auto place = report::column_named(table, name, "test");
        EXPECT_TRUE(place.ok()) << place.error().text();
        return place.ok() ? *place : 0;
    };
    for (const auto& row : table.rows) {
        const bool all =
            std::ranges::all_of(where, [&](const auto& one) { return fits(row[at(one.first)], one.second); });
        if (!all) continue;
        found = row[at(column)];
        ++rows;
    }
    EXPECT_EQ(rows, 1) << "rows with the values asked for";
    return found;
}

inline double number_at(const report::Table& table, const std::map<std::string, Wanted>& where,
                        const std::string& column) {
    return report::finite_number(cell_at(table, where, column)).value_or(std::nan(""));
}

inline std::string text_at(const report::Table& table, const std::map<std::string, Wanted>& where,
                           const std::string& column) {
    return store::cell_text(cell_at(table, where, column));
}

}  // namespace plimsoll::lab

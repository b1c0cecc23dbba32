#include "plimsoll/data/tables/table_label.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll::data {
namespace {

constexpr std::size_t most_number_classes = 1000, rows_of_a_class = 5, most_asked_classes = 65535;

// The values of the rows that stay.
template <class T>
void keep(std::vector<T>& values, const std::vector<bool>& stays) {
    if (values.empty()) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (stays[i]) values[kept++] = values[i];
    values.resize(kept);
}

// Without the rows that nobody labelled.
void drop_unlabelled(const std::vector<bool>& stays, Table& table) {
    const auto kept = static_cast<std::size_t>(std::ranges::count(stays, true));
    table.left_out = table.rows - kept;
    table.rows = kept;
    if (table.left_out == 0) return;
    for (auto& column : table.numbers) {
        keep(column.values, stays);
        column.missing = static_cast<std::uint64_t>(
            std::ranges::count_if(column.values, [](float value) { return std::isnan(value); }));
    }
    for (auto& column : table.categories) {
        keep(column.codes, stays);
        column.missing = static_cast<std::uint64_t>(
            std::ranges::count(column.codes, static_cast<std::uint16_t>(column.values.size())));
    }
    keep(table.split_of, stays);
    keep(table.label.classes, stays);
    keep(table.label.numbers, stays);
}

Status check_label(std::size_t different, const std::string& where, const Table& table) {
    const std::string name = printable(table.label.name);
    if (table.rows == 0) return bad_input(where, fmt::format("column '{}' has no label in any row", name));
    if (different > 1) return {};
    return bad_input(where,
                     fmt::format("column '{}' has one value in all {} rows, so there is nothing to tell "
                                 "apart; --label names another column",
                                 name, table.rows));
}

// The different values in their order, or nothing above so many.
std::vector<float> few_values(const std::vector<float>& values, std::size_t most) {
    std::vector<float> seen;
    for (const float value : values) {
        const auto place = std::ranges::lower_bound(seen, value);
        if (std::isnan(value) || (place != seen.end() && *place == value)) continue;
        if (seen.size() == most) return {};
        seen.insert(place, value);
    }
    return seen;
}

std::string in_small_letters(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

bool are_classes(const std::vector<float>& values, std::size_t rows) {
    return !values.empty() && values.size() * rows_of_a_class <= rows &&
           std::ranges::all_of(values, [](float value) { return value == std::floor(value); });
}

}  // namespace

LabelAs label_as(std::string_view asked) {
    if (asked.ends_with(":number")) return LabelAs::number;
    return asked.ends_with(":classes") ? LabelAs::classes : LabelAs::guessed;
}

Result<LabelChoice> label_choice(const std::vector<std::string>& columns, const std::string& asked,
                                 const std::string& where, std::size_t last) {
    constexpr std::array<std::string_view, 8> usual{"label", "labels",  "target",  "class",
                                                    "y",     "species", "outcome", "target_class"};
    const auto place = [](std::string_view name,
                          const std::vector<std::string>& columns) -> std::optional<std::size_t> {
        const auto found = std::ranges::find(columns, name);
        if (found == columns.end()) return std::nullopt;
        return static_cast<std::size_t>(found - columns.begin());
    };
    if (!asked.empty()) {
        if (const auto found = place(asked, columns)) return LabelChoice{*found, LabelAs::guessed};
        const LabelAs as = label_as(asked);
        const std::string name = as == LabelAs::guessed ? asked : asked.substr(0, asked.rfind(':'));
        if (const auto found = place(name, columns)) return LabelChoice{*found, as};
        return bad_input("label", fmt::format("{} has no column '{}'{}", where, printable(name),
                                              suggestion(name, columns)));
    }
    std::vector<std::string> small;
    for (const auto& column : columns) small.push_back(in_small_letters(column));
    for (const auto name : usual)
        if (const auto found = place(name, small)) return LabelChoice{*found, LabelAs::guessed};
    if (last > 0 && columns[last] == "split") --last;
    return LabelChoice{last, LabelAs::guessed};
}

std::string class_name_of(float value) {
    return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

Status label_by_numbers(NumberColumn column, LabelAs as, const std::string& where, Table& table) {
    const auto values =
        few_values(column.values, as == LabelAs::classes ? most_asked_classes : most_number_classes);
    if (as == LabelAs::classes && values.empty())
        return bad_input(where, fmt::format("column '{}' has more than {} different labels; without :classes "
                                            "it is predicted as a number",
                                            printable(table.label.name), most_asked_classes));
    std::vector<bool> stays;
    for (const float value : column.values) stays.push_back(!std::isnan(value));
    const std::size_t different = values.empty() ? most_number_classes : values.size();
    const bool guessed = are_classes(values, column.values.size() - column.missing);
    if (as == LabelAs::guessed ? guessed : as == LabelAs::classes) {
        for (const float value : values) table.label.class_names.push_back(class_name_of(value));
        for (const float value : column.values)
            table.label.classes.push_back(static_cast<std::uint16_t>(
                std::isnan(value) ? 0 : std::ranges::lower_bound(values, value) - values.begin()));
    } else {
        table.label.numbers = std::move(column.values);
    }
    drop_unlabelled(stays, table);
    return check_label(different, where, table);
}

Status label_by_categories(CategoryColumn column, LabelAs as, const std::string& where, Table& table) {
    if (as == LabelAs::number)
        return bad_input(where, fmt::format("column '{}' holds words ('{}'), which are no numbers to predict",
                                            printable(table.label.name),
                                            column.values.empty() ? "" : printable(column.values.back())));
    std::vector<bool> stays;
    for (const std::uint16_t code : column.codes) stays.push_back(code < column.values.size());
    table.label.classes = std::move(column.codes);
    table.label.class_names = std::move(column.values);
    drop_unlabelled(stays, table);
    return check_label(table.label.class_names.size(), where, table);
}

}  // namespace plimsoll::data

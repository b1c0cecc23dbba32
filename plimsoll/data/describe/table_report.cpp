#include "plimsoll/data/describe/table_report.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"

namespace plimsoll::data {
namespace {

constexpr std::size_t shown_rows = 3;
constexpr const char* nothing_there = "-";

std::string number_text(float value) {
    return std::isnan(value) ? nothing_there : fmt::format("{:.6g}", value);
}

TableColumnReport report_numbers(const std::string& name, const std::vector<float>& values) {
    TableColumnReport report{.name = name, .is_number = true};
    double sum = 0;
    std::uint64_t count = 0;
    for (const float value : values) {
        if (std::isnan(value)) continue;
        report.smallest = count == 0 ? value : std::min<double>(report.smallest, value);
        report.largest = count == 0 ? value : std::max<double>(report.largest, value);
        sum += value;
        ++count;
    }
    report.missing = values.size() - count;
    report.mean = count > 0 ? sum / static_cast<double>(count) : 0;
    for (std::size_t i = 0; i < std::min(values.size(), shown_rows); ++i)
        report.first.push_back(number_text(values[i]));
    return report;
}

TableColumnReport report_categories(const std::string& name, const std::vector<std::uint16_t>& codes,
                                    const std::vector<std::string>& values) {
    TableColumnReport report{.name = name, .is_number = false};
    report.different = values.size();
    report.missing = static_cast<std::uint64_t>(
        std::ranges::count_if(codes, [&](std::uint16_t code) { return code >= values.size(); }));
    for (std::size_t i = 0; i < std::min(codes.size(), shown_rows); ++i)
        report.first.push_back(codes[i] < values.size() ? values[codes[i]] : nothing_there);
    return report;
}

std::vector<TableSplitReport> count_splits(const Table& table) {
    std::vector<TableSplitReport> splits;
    for (const auto& name : table.split_names) splits.push_back({name, 0, {}});
    if (splits.empty()) splits.push_back({"all", 0, {}});
    for (auto& split : splits) split.histogram.resize(table.label.class_names.size());
    for (std::size_t i = 0; i < table.rows; ++i) {
        auto& split = splits[table.split_of.empty() ? 0 : table.split_of[i]];
        ++split.count;
        if (!table.label.classes.empty()) ++split.histogram[table.label.classes[i]];
    }
    return splits;
}

}  // namespace

TableReport report_table(const Table& table) {
    TableReport report{.rows = table.rows, .label = table.label.name, .guessed = table.label.guessed};
    for (const auto& column : table.numbers)
        report.columns.push_back(report_numbers(column.name, column.values));
    for (const auto& column : table.categories)
        report.columns.push_back(report_categories(column.name, column.codes, column.values));
    report.columns.push_back(
        table.label.classes.empty()
            ? report_numbers(table.label.name, table.label.numbers)
            : report_categories(table.label.name, table.label.classes, table.label.class_names));
    report.class_names = table.label.class_names;
    report.splits = count_splits(table);
    report.left_out_columns = table.left_out_columns;
    report.left_out = table.left_out;
    return report;
}

}  // namespace plimsoll::data

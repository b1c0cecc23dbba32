#include "plimsoll/data/tables/array_table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/data/sniff/content.h"
#include "plimsoll/data/tables/table_label.h"
#include "plimsoll/data/tables/text_table.h"

namespace plimsoll::data {
namespace {

struct TableNames {
    std::string_view split, features, label;
};
constexpr std::array table_names{
    TableNames{"train", "x_train", "y_train"},
    TableNames{"val", "x_val", "y_val"},
    TableNames{"test", "x_test", "y_test"},
    TableNames{"train", "X_train", "y_train"},
    TableNames{"val", "X_val", "y_val"},
    TableNames{"test", "X_test", "y_test"},
    TableNames{"all", "X", "y"},
    TableNames{"all", "x", "y"},
    TableNames{"all", "data", "target"},
    TableNames{"all", "data", "labels"},
    TableNames{"all", "features", "labels"},
};

constexpr std::uint64_t most_table_columns = 65536;

const NpyArray* find_array(const std::vector<NpzArray>& arrays, std::string_view name) {
    const auto found = std::ranges::find(arrays, name, &NpzArray::name);
    return found == arrays.end() ? nullptr : &found->array;
}

// Element (row, column) of an array (rows, columns) in either order.
double element_at(const NpyArray& array, std::uint64_t row, std::uint64_t column) {
    const std::uint64_t rows = array.shape[0], columns = array.row();
    return real_at(array, array.columns_first ? column * rows + row : row * columns + column);
}

Status check_matrix(const NpyArray& array) {
    if (array.shape.size() != 2 || array.count() == 0)
        return bad_input(array.name,
                         fmt::format("is {}; a table is rows x columns of numbers", shape_text(array)));
    if (array.row() > most_table_columns)
        return bad_input(array.name, fmt::format("{} columns; 65536 are the most", array.row()));
    return {};
}

// One column behind what is there of it. NaN is a missing number; an infinity is refused.
Status append_column(const NpyArray& array, std::uint64_t column, std::vector<float>& to) {
    for (std::uint64_t row = 0; row < array.shape[0]; ++row) {
        const auto value = static_cast<float>(element_at(array, row, column));
        if (std::isinf(value))
            return bad_input(array.name, fmt::format("record {}, column {}: no finite number of 32 bits", row,
                                                     column + 1));
        to.push_back(value);
    }
    return {};
}

void count_missing(NumberColumn& column) {
    column.missing = static_cast<std::uint64_t>(
        std::ranges::count_if(column.values, [](float value) { return std::isnan(value); }));
}

Status append_part(const NpyArray& features, const NpyArray& label, Table& table, NumberColumn& labels) {
    PLIMSOLL_RETURN_IF_ERROR(check_matrix(features));
    if (label.shape.empty() || label.row() != 1 || label.shape[0] != features.shape[0])
        return bad_input(
            label.name,
            fmt::format(
                "is {} for {} rows; labels are one number a row (y.argmax(1) of a column for each class)",
                shape_text(label), features.shape[0]));
    if (table.numbers.empty())
        for (std::uint64_t i = 0; i < features.row(); ++i)
            table.numbers.push_back({fmt::format("column{}", i + 1), {}, 0});
    if (table.numbers.size() != features.row())
        return bad_input(features.name, fmt::format("has {} columns; those before have {}", features.row(),
                                                    table.numbers.size()));
    for (std::uint64_t i = 0; i < features.row(); ++i)
        PLIMSOLL_RETURN_IF_ERROR(append_column(features, i, table.numbers[i].values));
    table.rows += features.shape[0];
    return append_column(label, 0, labels.values);
}

}  // namespace

bool are_table(const std::vector<NpzArray>& arrays) {
    return std::ranges::any_of(table_names, [&](const TableNames& names) {
        const auto* features = find_array(arrays, names.features);
        return features != nullptr && features->shape.size() == 2 &&
               find_array(arrays, names.label) != nullptr;
    });
}

Result<Table> table_from(const std::vector<NpzArray>& arrays, const std::string& file,
                         const ReadOptions& read) {
    Table table;
    NumberColumn labels{"y", {}, 0};
    for (const TableNames& names : table_names) {
        const auto* features = find_array(arrays, names.features);
        const auto* label = find_array(arrays, names.label);
        if (features == nullptr || label == nullptr) continue;
        labels.name = names.label;
        PLIMSOLL_RETURN_IF_ERROR(append_part(*features, *label, table, labels));
        table.split_of.resize(table.rows, static_cast<std::uint16_t>(table.split_names.size()));
        table.split_names.emplace_back(names.split);
    }
    if (table.rows == 0)
        return bad_input(file, "has no rows with labels (X and y, x_train and y_train, data and target)");
    if (table.split_names == std::vector<std::string>{"all"}) {
        table.split_names.clear();
        table.split_of.clear();
    }
    for (auto& column : table.numbers) count_missing(column);
    count_missing(labels);
    table.label.name = labels.name;
    PLIMSOLL_RETURN_IF_ERROR(label_by_numbers(std::move(labels), label_as(read.label), file, table));
    return table;
}

Result<Table> table_from(const NpyArray& array, const ReadOptions& read) {
    PLIMSOLL_RETURN_IF_ERROR(check_matrix(array));
    std::vector<std::string> names;
    for (std::uint64_t i = 0; i < array.row(); ++i) names.push_back(fmt::format("column{}", i + 1));
    PLIMSOLL_ASSIGN(choice, label_choice(names, read.label, array.name, names.size() - 1));
    Table table;
    table.rows = array.shape[0];
    NumberColumn labels;
    for (std::uint64_t i = 0; i < array.row(); ++i) {
        NumberColumn column{names[i], {}, 0};
        PLIMSOLL_RETURN_IF_ERROR(append_column(array, i, column.values));
        count_missing(column);
        if (i == choice.column) {
            labels = std::move(column);
        } else {
            table.numbers.push_back(std::move(column));
        }
    }
    table.label.name = labels.name;
    table.label.guessed = read.label.empty();
    PLIMSOLL_RETURN_IF_ERROR(label_by_numbers(std::move(labels), choice.as, array.name, table));
    return table;
}

Result<Table> load_array_table(const std::filesystem::path& path, const ReadOptions& read,
                               const LoadOptions& options) {
    PLIMSOLL_ASSIGN(file, load_file(path, options));
    const auto bytes = file.bytes.view();
    if (sniff(bytes.first(std::min(bytes.size(), sniffed_bytes))).content == Content::npy) {
        PLIMSOLL_ASSIGN(array, parse_npy(file));
        return table_from(array, read);
    }
    PLIMSOLL_ASSIGN(arrays, read_npz(file, options.most_bytes));
    return table_from(arrays, file.name, read);
}

}  // namespace plimsoll::data

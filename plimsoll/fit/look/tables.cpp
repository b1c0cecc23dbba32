#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/fit/look/labels.h"
#include "plimsoll/fit/look/look_task.h"
#include "plimsoll/run/table_encoding.h"

namespace plimsoll::fit {
namespace {

std::vector<std::uint16_t> classes_of(const data::Table& table, const std::vector<std::size_t>& rows) {
    std::vector<std::uint16_t> classes;
    for (const std::size_t row : rows) classes.push_back(table.label.classes[row]);
    return classes;
}

// Sizes and goal of a table whose label is a number.
Status describe_numbers(std::size_t training, std::size_t held_out, const LookTask& task, DataLook& look) {
    constexpr std::size_t least = 10;  // rows whose variance says something
    if (held_out < least)
        return bad_input(task.name,
                         fmt::format("has {} rows to hold out; to predict numbers takes {} at least, "
                                     "which are {} rows in all",
                                     held_out, least, 10 * least));
    look.data = task.name;
    look.goal = Goal::explained_variance;
    look.unit = "rows";
    look.size = training + held_out;
    look.held_out = held_out;
    return {};
}

std::string list_of(const std::vector<std::string>& names) {
    constexpr std::size_t most = 5;
    std::vector<std::string> shown(names.begin(),
                                   names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), most)));
    for (auto& name : shown) name = fmt::format("'{}'", printable(name));
    return join(shown, ", ") + (names.size() > most ? ", ..." : "");
}

// Columns that the network does not read.
void note_unused(const data::Table& table, const run::TableEncoding& encoding, DataLook& look) {
    std::vector<std::string> unused;
    const auto add = [&](const auto& columns, const auto& rules) {
        for (const auto& column : columns)
            if (std::ranges::find(rules, column.name, [](const auto& rule) { return rule.name; }) ==
                rules.end())
                unused.push_back(column.name);
    };
    add(table.numbers, encoding.numbers);
    add(table.categories, encoding.categories);
    if (!unused.empty())
        look.notes.push_back(
            fmt::format("{} {} left out, the same in all rows that are trained on or hardly ever "
                        "the same in two: {}.",
                        unused.size(), unused.size() == 1 ? "column is" : "columns are", list_of(unused)));
    for (const auto& column : table.left_out_columns)
        look.notes.push_back(
            fmt::format("The column '{}' is left out: {}.", printable(column.name), column.why));
}

}  // namespace

Result<DataLook> look_at(const data::Table& table, const LookTask& task) {
    const run::DataSettings usual;
    PLIMSOLL_ASSIGN(parts, run::table_parts(table, usual));
    const auto train = run::rows_of_part(table, parts.train, usual),
               held_out = run::rows_of_part(table, parts.held_out, usual);
    DataLook look{.modality = Modality::rows};
    PLIMSOLL_RETURN_IF_ERROR(table.label.classes.empty()
                                 ? describe_numbers(train.size(), held_out.size(), task, look)
                                 : describe_labels({classes_of(table, train), classes_of(table, held_out),
                                                    table.label.class_names, "rows"},
                                                   task, look));
    look.held_out_part = parts.held_out.name;
    PLIMSOLL_ASSIGN(encoding, run::learn_encoding(table, train, task.name));
    task.advance();
    InputChoice choice{.name = "columns"};
    choice.tokens = std::ssize(encoding.numbers) + std::ssize(encoding.categories);
    choice.units_per_token = 1;
    choice.validation_fraction = default_fraction;
    choice.spec_keys = encoding.spec_keys();
    look.inputs.push_back(std::move(choice));
    look.notes.push_back(fmt::format("The label is the column '{}'{}.", printable(table.label.name),
                                     table.label.guessed ? " (guessed; --label)" : ""));
    note_unused(table, encoding, look);
    if (table.left_out > 0)
        look.notes.push_back(fmt::format("{} rows without a label are left out.", table.left_out));
    return look;
}

}  // namespace plimsoll::fit

#include "plimsoll/run/table_encoding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/data/tables/table_label.h"

namespace plimsoll::run {
namespace {

using Rows = std::span<const std::size_t>;

// A category is rare below this number of rows of the training part, or below 1 % of it where that is less.
constexpr std::size_t most_rare = 5, rare_share = 100;

// Mean and population deviation of the numbers that are there.
struct Spread {
    double mean = 0, deviation = 0;
    std::size_t count = 0;
};

Spread spread_of(const std::vector<float>& values, Rows rows) {
    Spread spread;
    double sum = 0, squares = 0;
    for (const std::size_t row : rows)
        if (!std::isnan(values[row])) {
            sum += values[row];
            ++spread.count;
        }
    if (spread.count == 0) return spread;
    spread.mean = sum / static_cast<double>(spread.count);
    for (const std::size_t row : rows)
        if (!std::isnan(values[row])) squares += std::pow(values[row] - spread.mean, 2);
    spread.deviation = std::sqrt(squares / static_cast<double>(spread.count));
    return spread;
}

// What rounding leaves of numbers that are all the same is no deviation, nor is what 32 bits cannot divide
// by.
bool varies(const Spread& spread) {
    return spread.deviation >
           std::max<double>(1e-7 * std::abs(spread.mean), std::numeric_limits<float>::min());
}

// In doubles: two numbers of 32 bits may be further apart than 32 bits hold.
double standard(double value, double mean, double deviation) { return (value - mean) / deviation; }

void learn_numbers(const data::NumberColumn& column, Rows rows, TableEncoding& encoding) {
    const Spread spread = spread_of(column.values, rows);
    const bool has_gaps = spread.count < rows.size();
    if (spread.count == 0 || (!varies(spread) && !has_gaps)) return;
    encoding.numbers.push_back({column.name, static_cast<float>(spread.mean),
                                varies(spread) ? static_cast<float>(spread.deviation) : 1.0F, has_gaps});
}

std::vector<std::size_t> counts_of(const data::CategoryColumn& column, Rows rows) {
    std::vector<std::size_t> counts(column.values.size() + 1);  // the last: no value
    for (const std::size_t row : rows)
        ++counts[std::min<std::size_t>(column.codes[row], column.values.size())];
    return counts;
}

// In how many rows a value is not rare: of names, which hardly ever repeat, not in one, however few they are.
std::size_t least_rows(std::span<const std::size_t> counts, std::size_t rows) {
    constexpr std::size_t enough_rows = 20;
    const auto values = counts.first(counts.size() - 1);
    const auto seen = static_cast<std::size_t>(std::ranges::count_if(values, [](auto n) { return n > 0; }));
    const bool names = rows >= enough_rows && 2 * seen > rows - counts.back();
    return std::clamp<std::size_t>(rows / rare_share, names ? 2 : 1, most_rare);
}

void learn_categories(const data::CategoryColumn& column, Rows rows, TableEncoding& encoding) {
    const auto counts = counts_of(column, rows);
    const std::size_t least = least_rows(counts, rows.size());
    CategoryRule rule{.name = column.name, .values = {}, .has_gaps = counts.back() > 0, .usual = {}};
    std::size_t most = 0;
    for (std::size_t i = 0; i < column.values.size(); ++i) {
        if (counts[i] >= least) rule.values.push_back(column.values[i]);
        if (counts[i] > 0 && counts[i] < least) rule.has_rare = true;
        if (counts[i] > most) rule.usual = column.values[i];
        most = std::max(most, counts[i]);
    }
    std::ranges::sort(rule.values);
    if (rule.rows() > 1) encoding.categories.push_back(std::move(rule));
}

Result<LabelRule> learn_label(const data::TableLabel& label, Rows rows, const std::string& where) {
    LabelRule rule{.name = label.name, .classes = label.class_names};
    if (!label.classes.empty()) return rule;
    const Spread spread = spread_of(label.numbers, rows);
    if (!varies(spread))
        return bad_input(where,
                         fmt::format("column '{}' has one value in all {} rows that are trained on, so "
                                     "there is nothing to learn",
                                     printable(label.name), rows.size()));
    rule.mean = static_cast<float>(spread.mean);
    rule.deviation = static_cast<float>(spread.deviation);
    return rule;
}

// Whether a column is called as those are that number rows; `column1` is one without a name where others have
// names of their own.
bool names_row_numbers(const data::Table& table, const std::string& name) {
    constexpr std::array<std::string_view, 6> usual{"id", "Id", "ID", "index", "Index", "Unnamed: 0"};
    constexpr std::array<std::string_view, 4> endings{"_id", "_ID", "Id", "ID"};
    if (std::ranges::find(usual, name) != usual.end()) return true;
    if (name == "column1") return !table.label.name.starts_with("column");
    return std::ranges::any_of(endings, [&](auto ending) { return name.ends_with(ending); });
}

// What a column of sentences can be read as.
std::string text_hint(const data::Table& table) {
    constexpr std::size_t sentence = 40;
    const auto is_long = [](const std::string& value) { return value.size() >= sentence; };
    for (const auto& column : table.categories)
        if (std::ranges::any_of(column.values, is_long))
            return fmt::format("; --field '{}' reads its texts, to predict the next byte",
                               printable(column.name));
    return "";
}

template <class Column>
const Column* column_called(const std::vector<Column>& columns, const std::string& name) {
    const auto found = std::ranges::find(columns, name, &Column::name);
    return found == columns.end() ? nullptr : &*found;
}

Error missing_column(const std::string& name, const std::string& where) {
    return bad_input(where,
                     fmt::format("has no column '{}', which the run was trained with", printable(name)));
}

// Writes one column of a matrix (rows, width).
template <class T>
void put(std::vector<T>& matrix, std::size_t width, std::size_t at, std::size_t count, const auto& value) {
    for (std::size_t i = 0; i < count; ++i) matrix[i * width + at] = value(i);
}

constexpr double most_deviations = 10;

Status encode_numbers(const data::Table& table, Rows rows, const TableEncoding& encoding,
                      const std::string& where, EncodedRows& out) {
    const auto width = static_cast<std::size_t>(encoding.inputs());
    out.values.resize(rows.size() * width);
    std::size_t at = 0;
    for (const NumberRule& rule : encoding.numbers) {
        const auto* column = column_called(table.numbers, rule.name);
        if (column == nullptr && column_called(table.categories, rule.name) != nullptr)
            return bad_input(where, fmt::format("column '{}' holds words; the run was trained on numbers",
                                                printable(rule.name)));
        if (column == nullptr) return missing_column(rule.name, where);
        put(out.values, width, at++, rows.size(), [&](std::size_t i) {
            const float value = column->values[rows[i]];
            if (std::isnan(value)) return 0.0F;
            return static_cast<float>(
                std::clamp(standard(value, rule.mean, rule.deviation), -most_deviations, most_deviations));
        });
        if (!rule.has_gaps) continue;
        put(out.values, width, at++, rows.size(),
            [&](std::size_t i) { return std::isnan(column->values[rows[i]]) ? 1.0F : 0.0F; });
    }
    return {};
}

// The row of its table for a value; null is none.
std::int32_t place_of(const CategoryRule& rule, const std::string* value) {
    const auto known = static_cast<std::int32_t>(rule.values.size());
    const auto gaps = known, rare = known + (rule.has_gaps ? 1 : 0);
    if (value == nullptr && rule.has_gaps) return gaps;
    if (value != nullptr) {
        const auto found = std::ranges::lower_bound(rule.values, *value);
        if (found != rule.values.end() && *found == *value)
            return static_cast<std::int32_t>(found - rule.values.begin());
    }
    if (rule.has_rare) return rare;
    if (rule.has_gaps) return gaps;
    return static_cast<std::int32_t>(std::ranges::lower_bound(rule.values, rule.usual) - rule.values.begin());
}

std::string number_text(float value) { return fmt::format("{}", value); }

// The place of each row's category, whichever kind the column was read as.
Result<std::vector<std::int32_t>> places_of(const data::Table& table, Rows rows, const CategoryRule& rule,
                                            const std::string& where) {
    std::vector<std::int32_t> places;
    if (const auto* column = column_called(table.categories, rule.name)) {
        std::vector<std::int32_t> of_code;
        for (const auto& value : column->values) of_code.push_back(place_of(rule, &value));
        of_code.push_back(place_of(rule, nullptr));
        for (const std::size_t row : rows)
            places.push_back(of_code[std::min<std::size_t>(column->codes[row], column->values.size())]);
        return places;
    }
    const auto* column = column_called(table.numbers, rule.name);
    if (column == nullptr) return missing_column(rule.name, where);
    for (const std::size_t row : rows) {
        const std::string text = number_text(column->values[row]);
        places.push_back(place_of(rule, std::isnan(column->values[row]) ? nullptr : &text));
    }
    return places;
}

Status encode_categories(const data::Table& table, Rows rows, const TableEncoding& encoding,
                         const std::string& where, EncodedRows& out) {
    const std::size_t width = encoding.categories.size();
    out.places.resize(rows.size() * width);
    std::int32_t first = 0;
    for (std::size_t k = 0; k < width; ++k) {
        PLIMSOLL_ASSIGN(places, places_of(table, rows, encoding.categories[k], where));
        put(out.places, width, k, rows.size(), [&](std::size_t i) { return first + places[i]; });
        first += static_cast<std::int32_t>(encoding.categories[k].rows());
    }
    return {};
}

// The text of every label, as a run's classes are called.
std::vector<std::string> label_texts(const data::TableLabel& label, Rows rows) {
    std::vector<std::string> texts;
    for (const std::size_t row : rows)
        texts.push_back(label.classes.empty() ? data::class_name_of(label.numbers[row])
                                              : label.class_names[label.classes[row]]);
    return texts;
}

Status encode_classes(const data::TableLabel& label, Rows rows, const LabelRule& rule, EncodedRows& out) {
    if (!label.classes.empty() && label.class_names == rule.classes) {
        for (const std::size_t row : rows) out.classes.push_back(label.classes[row]);
        return {};
    }
    for (const auto& text : label_texts(label, rows)) {
        const auto found = std::ranges::find(rule.classes, text);
        if (found == rule.classes.end())
            return bad_input("data", fmt::format("the label '{}' is not one of the run's: {}",
                                                 printable(text), join(rule.classes, ", ")));
        out.classes.push_back(static_cast<std::uint16_t>(found - rule.classes.begin()));
    }
    return {};
}

Status encode_label_numbers(const data::TableLabel& label, Rows rows, const LabelRule& rule,
                            EncodedRows& out) {
    for (const std::size_t row : rows) {
        float value = label.classes.empty() ? label.numbers[row] : 0;
        if (!label.classes.empty()) {
            const std::string& text = label.class_names[label.classes[row]];
            PLIMSOLL_ASSIGN(number, parse_real(text, "data: label"));
            value = static_cast<float>(number);
        }
        out.numbers.push_back(static_cast<float>(standard(value, rule.mean, rule.deviation)));
    }
    return {};
}

}  // namespace

std::int64_t TableEncoding::inputs() const {
    return std::ssize(numbers) + std::ranges::count_if(numbers, &NumberRule::has_gaps);
}

std::vector<std::int64_t> TableEncoding::category_rows() const {
    std::vector<std::int64_t> rows;
    for (const auto& rule : categories) rows.push_back(rule.rows());
    return rows;
}

std::string TableEncoding::spec_keys() const {
    std::vector<std::string> keys;
    if (inputs() > 0) keys.push_back(fmt::format("inputs={}", inputs()));
    if (!categories.empty()) keys.push_back(fmt::format("categories={}", fmt::join(category_rows(), "+")));
    keys.push_back(fmt::format("classes={}", outputs()));
    return join(keys, ",");
}

bool numbers_rows(const data::Table& table, const data::NumberColumn& column) {
    const auto whole = [](float value) { return value == std::floor(value); };
    if (column.missing > 0 || !names_row_numbers(table, column.name)) return false;
    if (!std::ranges::all_of(column.values, whole)) return false;
    std::vector<float> sorted = column.values;
    std::ranges::sort(sorted);
    return std::ranges::adjacent_find(sorted) == sorted.end();
}

std::vector<data::LeftOutFile> unread_columns(const data::Table& table, const TableEncoding& encoding) {
    std::vector<data::LeftOutFile> unread;
    for (const auto& column : table.numbers)
        if (std::ranges::find(encoding.numbers, column.name, &NumberRule::name) == encoding.numbers.end())
            unread.push_back({column.name, numbers_rows(table, column) ? "it numbers the rows"
                                                                       : "the same in all rows, or empty"});
    for (const auto& column : table.categories)
        if (std::ranges::find(encoding.categories, column.name, &CategoryRule::name) ==
            encoding.categories.end())
            unread.push_back({column.name, column.values.size() < 2 ? "the same in all rows, or empty"
                                                                    : "hardly ever the same in two rows"});
    return unread;
}

std::vector<std::string> split_names_of(const data::Table& table) {
    return table.split_of.empty() ? std::vector<std::string>{"all"} : table.split_names;
}

std::string part_name(const data::Table& table, const SetPart& part) {
    constexpr std::string_view of_classes = " of each class";
    std::string name = part.name;
    const auto at = name.find(of_classes);
    if (table.label.classes.empty() && at != name.npos) name.replace(at, of_classes.size(), " of the rows");
    return name;
}

Result<SetParts> table_parts(const data::Table& table, const DataSettings& settings) {
    PLIMSOLL_ASSIGN(parts, labelled_parts_of(split_names_of(table), settings));
    for (SetPart* part : {&parts.train, &parts.held_out}) part->name = part_name(table, *part);
    return parts;
}

std::vector<std::size_t> rows_of_part(const data::Table& table, const SetPart& part,
                                      const DataSettings& settings) {
    std::vector<std::uint16_t> labels = table.label.classes, one_split(table.rows);
    labels.resize(table.rows);  // numbers: one class for all
    return rows_of_part(labels, table.split_of.empty() ? one_split : table.split_of, part, settings);
}

Result<TableEncoding> learn_encoding(const data::Table& table, std::span<const std::size_t> rows,
                                     const std::string& where) {
    if (rows.empty()) return bad_input(where, "has no row to train on");
    TableEncoding encoding;
    for (const auto& column : table.numbers)
        if (!numbers_rows(table, column)) learn_numbers(column, rows, encoding);
    for (const auto& column : table.categories) learn_categories(column, rows, encoding);
    PLIMSOLL_ASSIGN(label, learn_label(table.label, rows, where));
    encoding.label = std::move(label);
    if (encoding.numbers.empty() && encoding.categories.empty())
        for (const auto& column : table.numbers) learn_numbers(column, rows, encoding);
    if (encoding.numbers.empty() && encoding.categories.empty())
        return bad_input(where,
                         fmt::format("has no column beside the label '{}' to learn from: each is the same in "
                                     "all {} rows that are trained on, or hardly ever the same in two{}",
                                     printable(table.label.name), rows.size(), text_hint(table)));
    return encoding;
}

Result<EncodedRows> encode_rows(const data::Table& table, std::span<const std::size_t> rows,
                                const TableEncoding& encoding, const std::string& where) {
    EncodedRows out{.count = rows.size()};
    PLIMSOLL_RETURN_IF_ERROR(encode_numbers(table, rows, encoding, where, out));
    PLIMSOLL_RETURN_IF_ERROR(encode_categories(table, rows, encoding, where, out));
    PLIMSOLL_RETURN_IF_ERROR(encoding.label.is_number()
                                 ? encode_label_numbers(table.label, rows, encoding.label, out)
                                 : encode_classes(table.label, rows, encoding.label, out));
    return out;
}

Status check_fits(const arch::ArchSpec& spec, const TableEncoding& encoding) {
    const auto wrong = [&](const std::string& why) {
        return bad_input("model.spec", fmt::format("{}; this table needs {}", why, encoding.spec_keys()));
    };
    const auto check = [&](const auto& s) -> Status {
        if constexpr (requires { s.net.inputs; }) {
            const std::int64_t inputs = s.net.inputs, outputs = s.net.classes;
            if (inputs != encoding.inputs() && !(inputs == 0 && s.net.width == encoding.inputs()))
                return wrong(fmt::format("inputs is {}", inputs));
            if (encoding.label.is_number() ? outputs != 1 : outputs < encoding.outputs())
                return wrong(fmt::format("classes is {}", outputs));
            if constexpr (requires { s.categories; }) {
                if (s.categories != encoding.category_rows()) return wrong("categories differ");
            } else if (!encoding.categories.empty()) {
                return wrong(arch::family_name(spec) + " reads numbers alone, and mlp categories too");
            }
            return {};
        } else {
            return wrong(arch::family_name(spec) + " does not read tables");
        }
    };
    return std::visit(check, spec);
}

}  // namespace plimsoll::run

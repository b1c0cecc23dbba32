#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/data/dataset.h"
#include "plimsoll/run/run_config.h"
#include "plimsoll/run/splits.h"

// How the rows of a table become what a network reads. It is learned on the rows that a run trains on and
// kept in the run's folder, so that every evaluation, on any machine and of any file, reads rows in the same
// way.
namespace plimsoll::run {

// A column of numbers: (x - mean) / deviation, at most ten deviations; 0 where there is none.
struct NumberRule {
    std::string name;
    float mean = 0, deviation = 1;
    bool has_gaps = false;  // one more number for the network: 1 where there is none, else 0

    bool operator==(const NumberRule&) const = default;
};

// A column of categories: one row of its table for each value, then one for no value and one for rare values,
// where the training part has some.
struct CategoryRule {
    std::string name;
    std::vector<std::string> values;  // in alphabetical order, those that are not rare
    bool has_gaps = false, has_rare = false;
    std::string usual;  // the most frequent value: what an unknown one counts as without those two rows

    // Of its table.
    [[nodiscard]] std::int64_t rows() const {
        return std::ssize(values) + (has_gaps ? 1 : 0) + (has_rare ? 1 : 0);
    }
    bool operator==(const CategoryRule&) const = default;
};

// What is predicted: one of `classes`, or a number whose (y - mean) / deviation the network gives.
struct LabelRule {
    std::string name;
    std::vector<std::string> classes;  // empty: a number
    float mean = 0, deviation = 1;

    [[nodiscard]] bool is_number() const { return classes.empty(); }
    bool operator==(const LabelRule&) const = default;
};

struct TableEncoding {
    std::vector<NumberRule> numbers;
    std::vector<CategoryRule> categories;
    LabelRule label;

    // Numbers that the network reads of a row, and rows of the table of each column of categories.
    [[nodiscard]] std::int64_t inputs() const;
    [[nodiscard]] std::vector<std::int64_t> category_rows() const;
    // The classifier's outputs; 1 for a number.
    [[nodiscard]] std::int64_t outputs() const { return label.is_number() ? 1 : std::ssize(label.classes); }
    // What a spec must say of it: "inputs=5,categories=3+4,classes=2".
    [[nodiscard]] std::string spec_keys() const;
    bool operator==(const TableEncoding&) const = default;
};

// Rows as a network reads them.
struct EncodedRows {
    std::size_t count = 0;
    std::vector<float> values;           // (count, inputs)
    std::vector<std::int32_t> places;    // (count, columns of categories): rows of all tables in a row
    std::vector<std::uint16_t> classes;  // (count), or empty
    std::vector<float> numbers;          // (count) standardised labels, or empty
};

// The name of a part for people; of a label that is a number nothing is held out by class.
std::string part_name(const data::Table& table, const SetPart& part);

// The parts of a run on a table: of classes a share of each is held out, of numbers a share of all rows.
Result<SetParts> table_parts(const data::Table& table, const DataSettings& settings);

// The names of a table's splits; "all" where it has none.
std::vector<std::string> split_names_of(const data::Table& table);

// The rows of one part.
std::vector<std::size_t> rows_of_part(const data::Table& table, const SetPart& part,
                                      const DataSettings& settings);

// What these rows teach. Columns that are the same in all of them, or only number the rows, are left out. A
// table without a column that tells rows apart, and labels that are all the same, are `bad_input`.
Result<TableEncoding> learn_encoding(const data::Table& table, std::span<const std::size_t> rows,
                                     const std::string& where);

// These rows, by an encoding that may come from another table; columns are found by name. The error names a
// column that is missing or of another kind, or a label that the encoding does not know.
Result<EncodedRows> encode_rows(const data::Table& table, std::span<const std::size_t> rows,
                                const TableEncoding& encoding, const std::string& where);

// Whether a column only numbers the rows: whole numbers, all different, and no name, as pandas writes its
// index, or one that says so (id, index, PassengerId). A run does not read it where it has anything else.
bool numbers_rows(const data::Table& table, const data::NumberColumn& column);

// The columns of a table that an encoding learned on it does not read, and why.
std::vector<data::LeftOutFile> unread_columns(const data::Table& table, const TableEncoding& encoding);

// The encoding as a run keeps it in table.json; table_encoding_from_json() reverses it exactly.
constexpr const char* table_file = "table.json";
Json to_json(const TableEncoding& encoding);
Result<TableEncoding> table_encoding_from_json(const Json& json, std::string_view where);

// Whether a network reads rows encoded like this and answers with such labels; the error is at model.spec.
Status check_fits(const arch::ArchSpec& spec, const TableEncoding& encoding);

}  // namespace plimsoll::run

#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "plimsoll/data/read_options.h"
#include "plimsoll/data/readers/loaded_file.h"
#include "plimsoll/data/tables/dialect.h"

namespace plimsoll::data {

// A table of text (CSV, TSV, ; or | between cells). A column is of numbers when all its cells are numbers or
// missing, otherwise of categories; one with more than 65535 different texts is passed over. The label is
// `read.label`, or guessed (label_choice()); whole numbers with few different values are classes. A column
// called split says the splits. The memory is that of the columns, whatever the text.
Result<Table> parse_table(std::string_view text, const std::string& name, const ReadOptions& read,
                          const LoadOptions& options);

// One file of a table that is in several.
struct TablePart {
    std::string_view text;
    std::string name;   // for messages
    std::string split;  // that its rows are
};
// The rows of all parts, which must have the same columns in the same order; each is a split of its own.
Result<Table> parse_table_parts(std::span<const TablePart> parts, const std::string& name,
                                const ReadOptions& read, const LoadOptions& options);

Result<Table> load_text_table(const std::filesystem::path& path, const ReadOptions& read,
                              const LoadOptions& options);

}  // namespace plimsoll::data

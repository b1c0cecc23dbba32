// Any bytes are a table or an error: every column has a value for each row, every code has a name, and what
// is learned of the rows gives each of them finite numbers and places; and the bytes are sniffed, as text or
// not, without an end.
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string_view>

#include "plimsoll/base/check.h"
#include "plimsoll/data/readers/sentence_pairs.h"
#include "plimsoll/data/sniff/content.h"
#include "plimsoll/data/sniff/text_reading.h"
#include "plimsoll/data/tables/table_column.h"
#include "plimsoll/data/tables/text_table.h"
#include "plimsoll/run/table_encoding.h"

namespace {

using namespace plimsoll::data;

void check_table(const Table& table) {
    for (const auto& column : table.numbers)
        PLIMSOLL_CHECK(column.values.size() == table.rows, "a number for each row");
    for (const auto& column : table.categories) {
        PLIMSOLL_CHECK(column.codes.size() == table.rows, "a category for each row");
        for (const auto code : column.codes) PLIMSOLL_CHECK(code <= column.values.size(), "a known category");
    }
    PLIMSOLL_CHECK(table.label.classes.size() + table.label.numbers.size() == table.rows, "one label a row");
    for (const auto label : table.label.classes)
        PLIMSOLL_CHECK(label < table.label.class_names.size(), "a known class");
}

void check_encoding(const Table& table) {
    std::vector<std::size_t> rows(table.rows);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    const auto encoding = plimsoll::run::learn_encoding(table, rows, "input");
    if (!encoding.ok()) return;
    const auto coded = plimsoll::run::encode_rows(table, rows, *encoding, "input");
    PLIMSOLL_CHECK(coded.ok(), "rows are read by what they taught");
    const auto sizes = encoding->category_rows();
    const auto all = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
    for (const float value : coded->values) PLIMSOLL_CHECK(std::isfinite(value), "finite numbers");
    for (const float value : coded->numbers) PLIMSOLL_CHECK(std::isfinite(value), "finite labels");
    for (const auto place : coded->places) PLIMSOLL_CHECK(place >= 0 && place < all, "a row of the tables");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto table = parse_table(text, "input", {}, {});
    if (table.ok()) {
        check_table(*table);
        check_encoding(*table);
    }
    (void)reading_of_text("input.csv", {text, true}, {});
    (void)text_of_column(text, "input", "a");
    const auto pairs = parse_sentence_pairs(text, "input");
    if (pairs.ok()) PLIMSOLL_CHECK(pairs->first.size() == pairs->labels.size(), "a label for each pair");
    const Sniffed sniffed = sniff({data, size});
    if (sniffed.content == Content::text)
        PLIMSOLL_CHECK(text.find('\0') == std::string_view::npos, "nothing binary is a text");
    return 0;
}

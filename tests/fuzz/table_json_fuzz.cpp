// Any text is a table.json or an error; what is read writes itself again, and reads a small table into its
// own places or says why not.
#include <cstdint>
#include <numeric>
#include <string_view>

#include "plimsoll/base/check.h"
#include "plimsoll/run/table_encoding.h"

namespace {

using namespace plimsoll;

// Columns called a, b and label, as the seeds have them.
data::Table small_table() {
    data::Table table;
    table.rows = 2;
    table.numbers.push_back({"a", {1, 2}, 0});
    table.categories.push_back({"b", {0, 1}, {"x"}, 1});
    table.label = {.name = "label", .classes = {0, 1}, .class_names = {"u", "v"}, .numbers = {}};
    return table;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto json = parse_json({reinterpret_cast<const char*>(data), size}, "input");
    if (!json.ok()) return 0;
    const auto encoding = run::table_encoding_from_json(*json, "input");
    if (!encoding.ok()) return 0;
    const auto again = run::table_encoding_from_json(to_json(*encoding), "again");
    PLIMSOLL_CHECK(again.ok() && *again == *encoding, "an encoding writes itself");
    const auto table = small_table();
    const std::vector<std::size_t> rows{0, 1};
    const auto coded = run::encode_rows(table, rows, *encoding, "table");
    if (!coded.ok()) return 0;
    const auto sizes = encoding->category_rows();
    const auto all = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
    for (const auto place : coded->places) PLIMSOLL_CHECK(place >= 0 && place < all, "a row of the tables");
    return 0;
}

// Any text is a table or an error, and a table written and read again is the same table.
#include <cstdint>
#include <string_view>

#include "plimsoll/base/check.h"
#include "plimsoll/report/table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll;
    const auto table = report::parse_table({reinterpret_cast<const char*>(data), size}, "input");
    if (!table.ok()) return 0;
    const auto again = report::parse_table(report::csv_text(*table), "again");
    PLIMSOLL_CHECK(again.ok(), "a written table that cannot be read");
    PLIMSOLL_CHECK(again->columns == table->columns && again->rows == table->rows, "another table");
    return 0;
}

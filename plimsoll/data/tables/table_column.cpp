#include "plimsoll/data/tables/table_column.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/data/sniff/content.h"

namespace plimsoll::data {

Result<std::size_t> column_called(const TableHead& head, const std::string& field, const std::string& where) {
    const auto found = std::ranges::find(head.columns, field);
    if (found == head.columns.end())
        return bad_input("field", fmt::format("{} has no column '{}'{}", where, printable(field),
                                              suggestion(field, head.columns)));
    return static_cast<std::size_t>(found - head.columns.begin());
}

Result<std::string> text_of_column(std::string_view text, const std::string& name, const std::string& field) {
    const std::string_view first = first_lines(text);
    const auto head = table_head(first, first.size() == text.size(), true);
    if (!head) return no_table(first, name);
    PLIMSOLL_ASSIGN(column, column_called(*head, field, name));
    RecordReader reader(without_mark(text), head->dialect, name);
    std::vector<Cell> cells;
    std::string all;
    for (bool header = head->named;; header = false) {
        PLIMSOLL_ASSIGN(more, reader.next(cells, head->columns.size()));
        if (!more) return all;
        if (cells.size() != head->columns.size())
            return reader.wrong(
                fmt::format("{} cells where the first line has {}", cells.size(), head->columns.size()));
        if (header || trim(cells[column].text).empty()) continue;
        if (!all.empty()) all += "\n\n";
        all += cells[column].text;
    }
}

}  // namespace plimsoll::data

#include "bench/fit/csv_rows.h"

#include "plimsoll/base/csv.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::fit {

Result<std::vector<CsvCells>> rows_of(const std::filesystem::path& path) {
    PLIMSOLL_ASSIGN(text, read_text(path));
    PLIMSOLL_ASSIGN(lines, parse_csv(text, path.string()));
    if (lines.size() < 2) return bad_input(path.string(), "has no row; a table has one for each run");
    const auto names = texts_of(lines.front());
    std::vector<CsvCells> rows;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const auto cells = texts_of(lines[i]);
        if (cells.size() != names.size())
            return bad_input(path.string(), fmt::format("line {} has {} cells, {} are named", lines[i].line,
                                                        cells.size(), names.size()));
        CsvCells& row = rows.emplace_back();
        for (std::size_t j = 0; j < names.size(); ++j) row[names[j]] = cells[j];
    }
    return rows;
}

Result<std::string> text_of(const CsvCells& row, const std::string& column) {
    const auto found = row.find(column);
    if (found == row.end()) return bad_input(column, "is not a column of the table");
    return found->second;
}

Result<double> number_of(const CsvCells& row, const std::string& column) {
    PLIMSOLL_ASSIGN(text, text_of(row, column));
    return parse_real(text, column);
}

}  // namespace plimsoll::fit

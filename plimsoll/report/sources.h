#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/report/derived.h"

namespace plimsoll::report {

// The rows that a figure, table or finding is made of, with its derived columns, and what was left out.
struct Selection {
    DerivedTable source;
    std::vector<std::string> notes;

    [[nodiscard]] const Table& table() const { return source.table; }
    // Where a column lies; why a derived one is missing, or what could have been meant.
    [[nodiscard]] Result<std::size_t> column(std::string_view name, const std::string& place) const;
    [[nodiscard]] bool has(std::string_view name) const;
};

// The tables of a report with their derived columns.
class Sources {
  public:
    static Result<Sources> make(const std::map<std::string, Table>& tables,
                                const std::vector<DerivedColumn>& columns, const std::string& first);

    // The rows of the table `rows` (empty: the first one) for which every condition holds. Rows of runs that
    // are not done (a column `phase` with another word) are left out and counted in a note.
    [[nodiscard]] Result<Selection> select(const std::string& rows, const std::vector<std::string>& where,
                                           const std::string& place) const;

  private:
    std::map<std::string, DerivedTable> tables_;
    std::string first_;
};

// "1 row", "12 rows".
std::string counted(std::size_t count, std::string_view noun);

}  // namespace plimsoll::report

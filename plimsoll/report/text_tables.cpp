#include "plimsoll/report/text_tables.h"

#include <algorithm>
#include <map>
#include <optional>

#include "plimsoll/base/format.h"
#include "plimsoll/report/figure_data.h"
#include "plimsoll/report/numbers.h"

namespace plimsoll::report {
namespace {

using Rows = std::vector<const std::vector<Cell>*>;

class Maker {
  public:
    Maker(const TableSpec& spec, Selection selection) : spec_(spec), selection_(std::move(selection)) {}

    Result<TextTable> make() {
        PLIMSOLL_RETURN_IF_ERROR(find_columns());
        table_.name = spec_.name;
        table_.title = spec_.title;
        table_.columns = spec_.by;
        table_.columns.insert(table_.columns.end(), spec_.values.begin(), spec_.values.end());
        if (over_) table_.columns.push_back(spec_.over + "s");
        table_.rows = Json::array();
        table_.notes = selection_.notes;
        for (const auto& [key, rows] : groups()) add_line(key, rows);
        for (const auto& [name, count] : without_)
            table_.notes.push_back(fmt::format("{} left out: no value of {}", counted(count, "row"), name));
        return std::move(table_);
    }

  private:
    Status find_columns() {
        for (const auto& name : spec_.by) {
            PLIMSOLL_ASSIGN(at, selection_.column(name, spec_.place));
            by_.push_back(at);
        }
        for (const auto& name : spec_.values) {
            PLIMSOLL_ASSIGN(at, selection_.column(name, spec_.place));
            values_.push_back(at);
        }
        if (!spec_.over_given && !selection_.has(spec_.over)) return {};
        PLIMSOLL_ASSIGN(over, selection_.column(spec_.over, spec_.place));
        over_ = over;
        return {};
    }

    [[nodiscard]] std::map<CellKey, Rows, CellKeyLess> groups() const {
        std::map<CellKey, Rows, CellKeyLess> groups;
        for (const auto& row : selection_.table().rows) {
            CellKey key;
            for (const std::size_t at : by_) key.push_back(row[at]);
            groups[key].push_back(&row);
        }
        return groups;
    }

    // The mean of a column over the rows of a line; without seeds every row counts.
    std::optional<Summary> mean_of(const Rows& rows, std::size_t at, const std::string& name) {
        std::vector<std::pair<Cell, double>> pairs;
        for (const auto* row : rows) {
            if (const auto number = finite_number((*row)[at]))
                pairs.emplace_back(over_ ? (*row)[*over_] : Cell(static_cast<std::int64_t>(pairs.size())),
                                   *number);
            else
                ++without_[name];
        }
        if (pairs.empty()) return std::nullopt;
        return summary(once_each(std::move(pairs)).first);
    }

    void add_line(const CellKey& key, const Rows& rows) {
        std::vector<std::string> cells;
        Json object = Json::object();
        for (std::size_t i = 0; i < key.size(); ++i) {
            cells.push_back(store::cell_text(key[i]));
            object[spec_.by[i]] = store::cell_json(key[i]);
        }
        std::size_t most = 0;
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const auto mean = mean_of(rows, values_[i], spec_.values[i]);
            cells.push_back(mean ? mean_text(*mean, "+-") : "");
            object[spec_.values[i]] = mean ? summary_json(*mean) : Json();
            most = std::max(most, mean ? mean->count : 0);
        }
        if (over_) cells.push_back(fmt::format("{}", most));
        table_.cells.push_back(std::move(cells));
        table_.rows.push_back(std::move(object));
    }

    const TableSpec& spec_;
    Selection selection_;
    std::vector<std::size_t> by_, values_;
    std::optional<std::size_t> over_;
    std::map<std::string, std::size_t> without_;
    TextTable table_;
};

}  // namespace

Result<TextTable> text_table(const TableSpec& spec, const Sources& sources) {
    PLIMSOLL_ASSIGN(selection, sources.select(spec.rows, spec.where, spec.place));
    return Maker(spec, std::move(selection)).make();
}

}  // namespace plimsoll::report

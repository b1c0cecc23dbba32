#include "plimsoll/report/figure_data.h"

#include <algorithm>
#include <map>
#include <optional>

#include "plimsoll/base/format.h"
#include "plimsoll/report/numbers.h"

namespace plimsoll::report {
namespace {

struct CellLess {
    bool operator()(const Cell& a, const Cell& b) const { return cell_less(a, b); }
};
using CellSet = std::map<Cell, std::string, CellLess>;

// Where the columns of a figure lie; a figure need not have the last four.
struct FigureColumns {
    std::size_t x = 0, y = 0;
    std::optional<std::size_t> series, facet, over, apart;
};

Result<std::optional<std::size_t>> optional_column(const Selection& selection, const std::string& name,
                                                   const std::string& place) {
    if (name.empty()) return std::optional<std::size_t>();
    PLIMSOLL_ASSIGN(at, selection.column(name, place));
    return std::optional(at);
}

Result<FigureColumns> figure_columns(const FigureSpec& figure, const Selection& selection) {
    PLIMSOLL_ASSIGN(x, selection.column(figure.x.column, figure.x.place));
    PLIMSOLL_ASSIGN(y, selection.column(figure.y.column, figure.y.place));
    PLIMSOLL_ASSIGN(series, optional_column(selection, figure.series, figure.place));
    PLIMSOLL_ASSIGN(facet, optional_column(selection, figure.facet, figure.place));
    const bool averages = figure.over_given || selection.has(figure.over);
    PLIMSOLL_ASSIGN(over, optional_column(selection, averages ? figure.over : "", figure.place));
    PLIMSOLL_ASSIGN(apart, optional_column(selection, figure.apart, figure.place));
    return FigureColumns{x, y, series, facet, over, apart};
}

bool is_log(Scale scale) { return scale != Scale::linear; }

// Why a row cannot be drawn; empty when it can.
std::string obstacle(const FigureSpec& figure, const Cell& x, const Cell& y, bool words_on_x) {
    const auto wrong = [](const AxisSpec& axis, const Cell& cell) -> std::string {
        const auto number = finite_number(cell);
        if (!number) return fmt::format("no value of {}", axis.column);
        if (is_log(axis.scale) && *number <= 0)
            return fmt::format("{} is not positive, and its axis is logarithmic", axis.column);
        return "";
    };
    if (words_on_x && store::is_empty(x)) return fmt::format("no value of {}", figure.x.column);
    const std::string on_x = words_on_x ? "" : wrong(figure.x, x);
    return on_x.empty() ? wrong(figure.y, y) : on_x;
}

// nan and inf are numbers without a value, not words.
bool is_word(const Cell& cell) {
    const auto* text = std::get_if<std::string>(&cell);
    return std::holds_alternative<bool>(cell) ||
           (text != nullptr && *text != "nan" && *text != "inf" && *text != "-inf");
}

class Sorter {
  public:
    Sorter(const FigureSpec& figure, const Selection& selection, const FigureColumns& columns)
        : figure_(figure), table_(selection.table()), columns_(columns) {}

    Result<FigureData> sorted() {
        data_.averaged = columns_.over.has_value();
        data_.words_on_x =
            std::ranges::any_of(table_.rows, [&](const auto& row) { return is_word(row[columns_.x]); });
        if (data_.words_on_x && is_log(figure_.x.scale))
            return bad_input(
                figure_.x.place,
                fmt::format("column {} holds text: its axis cannot be logarithmic", figure_.x.column));
        for (std::size_t i = 0; i < table_.rows.size(); ++i) take(i);
        for (const auto& [why, count] : left_out_)
            data_.notes.push_back(fmt::format("{} left out: {}", counted(count, "row"), why));
        make_means();
        data_.series = series_labels();
        for (const auto& [cell, label] : facets_) data_.facets.push_back(label);
        return std::move(data_);
    }

  private:
    // The label of a cell; a number alone would not say what it is, so it has `name` before it.
    static std::string remembered(CellSet& set, const Cell& cell, const std::string& name) {
        const bool named = !name.empty() && !std::holds_alternative<std::string>(cell);
        return set.emplace(cell, (named ? name + " " : "") + label_of(cell)).first->second;
    }

    void take(std::size_t index) {
        const auto& row = table_.rows[index];
        const Cell &x = row[columns_.x], &y = row[columns_.y];
        const std::string why = obstacle(figure_, x, y, data_.words_on_x);
        if (!why.empty()) {
            ++left_out_[why];
            return;
        }
        PointSeries place{"", "", data_.words_on_x ? Cell(label_of(x)) : x};
        if (columns_.facet) place.facet = remembered(facets_, row[*columns_.facet], figure_.facet);
        if (columns_.series) place.series = remembered(series_, row[*columns_.series], "");
        if (columns_.apart) place.apart = label_of(row[*columns_.apart]);
        data_.rows.push_back({std::move(place), *finite_number(y), index});
    }

    // An order that was given keeps its colours also where one of its series has no rows.
    [[nodiscard]] std::vector<std::string> series_labels() const {
        if (series_.empty()) return {};
        std::vector<std::string> labels = figure_.series_order;
        for (const auto& [cell, label] : series_)
            if (std::ranges::find(labels, label) == labels.end()) labels.push_back(label);
        return labels;
    }

    // Rows of one place together, in the order of their values.
    void make_means() {
        const auto before = [](const RowPoint* a, const RowPoint* b) {
            if (a->place.facet != b->place.facet) return a->place.facet < b->place.facet;
            if (a->place.series != b->place.series) return a->place.series < b->place.series;
            if (cell_less(a->place.x, b->place.x) || cell_less(b->place.x, a->place.x))
                return cell_less(a->place.x, b->place.x);
            return a->place.apart < b->place.apart;
        };
        std::vector<const RowPoint*> points;
        for (const RowPoint& point : data_.rows) points.push_back(&point);
        std::ranges::stable_sort(points, before);
        for (auto start = points.begin(); start != points.end();) {
            const auto end =
                std::find_if(start, points.end(), [&](const RowPoint* one) { return before(*start, one); });
            add_means({start, end});
            start = end;
        }
        if (shared_ > 0)
            data_.notes.push_back(
                fmt::format("{} had the same {} as another row of the point: averaged first",
                            counted(shared_, "row"), figure_.over));
    }

    void add_means(const std::vector<const RowPoint*>& points) {
        if (!data_.averaged) {
            for (const RowPoint* point : points) data_.means.push_back({point->place, summary({point->y})});
            return;
        }
        std::vector<std::pair<Cell, double>> pairs;
        for (const RowPoint* point : points)
            pairs.emplace_back(table_.rows[point->row][*columns_.over], point->y);
        auto [values, shared] = once_each(std::move(pairs));
        shared_ += shared;
        data_.means.push_back({points.front()->place, summary(std::move(values))});
    }

    const FigureSpec& figure_;
    const Table& table_;
    const FigureColumns columns_;
    FigureData data_;
    CellSet series_, facets_;
    std::map<std::string, std::size_t> left_out_;
    std::size_t shared_ = 0;
};

}  // namespace

std::string label_of(const Cell& cell) {
    if (store::is_empty(cell)) return "none";
    if (const auto* truth = std::get_if<bool>(&cell)) return *truth ? "on" : "off";
    if (store::is_number(cell)) return spaced_number(store::number_of(cell));
    return store::cell_text(cell);
}

std::pair<std::vector<double>, std::size_t> once_each(std::vector<std::pair<Cell, double>> pairs) {
    std::map<Cell, std::vector<double>, CellLess> groups;
    for (auto& [over, y] : pairs) groups[over].push_back(y);
    std::vector<double> values;
    for (auto& [over, ys] : groups) values.push_back(summary(std::move(ys)).mean);
    return {values, pairs.size() - values.size()};
}

Result<FigureData> figure_data(const FigureSpec& figure, const Selection& selection) {
    PLIMSOLL_ASSIGN(columns, figure_columns(figure, selection));
    return Sorter(figure, selection, columns).sorted();
}

}  // namespace plimsoll::report

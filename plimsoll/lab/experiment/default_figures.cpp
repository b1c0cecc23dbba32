#include "plimsoll/lab/experiment/default_figures.h"

#include <algorithm>
#include <set>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/lab/sweep/setting.h"

namespace plimsoll::lab {
namespace {

// "depth" for model.depth, "optimizer_lr" for optimizer.lr.
std::string column_of(const std::string& key) {
    if (const auto field = field_of(key); !field.empty()) return std::string(field);
    std::string column = key;
    std::ranges::replace(column, '.', '_');
    return column;
}

// The values that a column has.
std::set<std::string> values_of(const report::Table& table, const std::string& column) {
    std::set<std::string> values;
    const auto found = std::ranges::find(table.columns, column);
    if (found == table.columns.end()) return values;
    for (const auto& row : table.rows)
        if (const auto& cell = row[static_cast<std::size_t>(found - table.columns.begin())];
            !store::is_empty(cell))
            values.insert(store::cell_text(cell));
    return values;
}

// The columns that tell the runs apart, in the order of the plan, budgets behind the axes.
std::vector<std::string> moved(const std::vector<NamedPlan>& plans, const report::Table& runs) {
    std::vector<std::string> columns;
    const auto add = [&](const std::string& column) {
        const bool known = std::ranges::find(columns, column) != columns.end();
        if (!known && values_of(runs, column).size() > 1) columns.push_back(column);
    };
    for (const NamedPlan& plan : plans)
        for (const auto& key : plan.plan.columns)
            if (key != "budget" && key != "seed") add(column_of(key));
    add("budget");
    add("family");
    return columns;
}

bool all_numbers(const std::set<std::string>& values) {
    return std::ranges::all_of(values, [](const auto& value) { return parse_real(value, "").ok(); });
}

}  // namespace

report::FigureSet default_figures(const std::vector<NamedPlan>& plans, const report::Table& runs) {
    auto columns = moved(plans, runs);
    const bool text = !values_of(runs, "bits_per_byte").empty();
    const bool numbers = !values_of(runs, "explained_variance").empty();
    const std::string y = text ? "validation_loss" : numbers ? "explained_variance" : "accuracy";
    report::FigureSet set;
    const auto x =
        std::ranges::find_if(columns, [&](const auto& c) { return all_numbers(values_of(runs, c)); });
    if (x != columns.end()) {
        report::FigureSpec figure;
        figure.name = "runs";
        figure.title = fmt::format("{} against {}",
                                   text      ? "Validation loss"
                                   : numbers ? "Explained variance"
                                             : "Accuracy",
                                   *x);
        figure.where = {"phase == done"};
        figure.x = {.column = *x, .title = *x, .place = "the default figure"};
        figure.y = {.column = y, .title = text ? "validation loss, nats" : y, .place = "the default figure"};
        figure.line = true;
        figure.place = "the default figure";
        std::rotate(columns.begin(), x, x + 1);
        if (columns.size() > 1) figure.series = columns[1];
        set.figures.push_back(std::move(figure));
    }
    report::TableSpec table;
    table.name = "runs";
    table.where = {"phase == done"};
    table.by = columns.empty() ? std::vector<std::string>{"spec"} : columns;
    table.values = {y, "loss", "seconds"};
    table.place = "the default table";
    set.tables.push_back(std::move(table));
    return set;
}

}  // namespace plimsoll::lab

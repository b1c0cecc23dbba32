#include "plimsoll/report/figure_file.h"

#include <set>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/report/formula.h"
#include "plimsoll/report/toml_numbers.h"

namespace plimsoll::report {
namespace {

constexpr std::size_t most_figure_bytes = 1'000'000;  // of a figure.toml

Result<Scale> read_scale(const TomlFields& fields) {
    return fields.choice<Scale>("scale",
                                {{"linear", Scale::linear}, {"log", Scale::log}, {"log2", Scale::log2}});
}

// A figure's name is the stem of its files.
Result<std::string> read_name(const TomlFields& fields) {
    PLIMSOLL_ASSIGN(name, fields.needed("name"));
    constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    if (name.find_first_not_of(allowed) != std::string::npos)
        return bad_input(
            fields.place("name"),
            fmt::format("must be letters, digits, - and _ (it names files), got '{}'", printable(name)));
    return name;
}

// x = "depth" or x = { column = "depth", title = "...", scale = "log" }.
Result<AxisSpec> read_axis(const TomlFields& figure, const std::string& key) {
    AxisSpec axis;
    axis.place = figure.place(key);
    if (!figure.has(key)) return bad_input(figure.place(), fmt::format("{} is missing", key));
    if (figure.value(key).is_string()) {
        PLIMSOLL_ASSIGN(column, figure.needed(key));
        axis.column = axis.title = column;
        return axis;
    }
    if (!figure.value(key).is_object())
        return bad_input(axis.place, "must be a column, as in { column = \"depth\", scale = \"log\" }");
    const TomlFields fields(figure.value(key), figure.path(key), figure.places());
    PLIMSOLL_RETURN_IF_ERROR(fields.refuse_others({"column", "title", "scale"}));
    PLIMSOLL_ASSIGN(column, fields.needed("column"));
    PLIMSOLL_ASSIGN(title, fields.text("title", column));
    PLIMSOLL_ASSIGN(scale, read_scale(fields));
    return AxisSpec{column, title, scale, axis.place};
}

// Which of x and y a rule or band has; one, and not both.
Result<bool> is_vertical(const TomlFields& fields) {
    if (fields.has("x") == fields.has("y"))
        return bad_input(fields.place(), "must have either x (vertical) or y (horizontal)");
    return fields.has("x");
}

Result<std::vector<RuleSpec>> read_rules(const TomlFields& figure) {
    PLIMSOLL_ASSIGN(tables, figure.tables("rules"));
    std::vector<RuleSpec> rules;
    for (const TomlFields& fields : tables) {
        PLIMSOLL_RETURN_IF_ERROR(fields.refuse_others({"x", "y", "label"}));
        PLIMSOLL_ASSIGN(vertical, is_vertical(fields));
        PLIMSOLL_ASSIGN(at, number_in(fields, vertical ? "x" : "y"));
        PLIMSOLL_ASSIGN(label, fields.text("label"));
        rules.push_back({vertical, at, label, fields.place()});
    }
    return rules;
}

Result<std::vector<BandSpec>> read_bands(const TomlFields& figure) {
    PLIMSOLL_ASSIGN(tables, figure.tables("bands"));
    std::vector<BandSpec> bands;
    for (const TomlFields& fields : tables) {
        PLIMSOLL_RETURN_IF_ERROR(fields.refuse_others({"x", "y", "label"}));
        PLIMSOLL_ASSIGN(vertical, is_vertical(fields));
        PLIMSOLL_ASSIGN(ends, window_in(fields, vertical ? "x" : "y"));
        PLIMSOLL_ASSIGN(label, fields.text("label"));
        bands.push_back({vertical, ends.first, ends.second, label, fields.place()});
    }
    return bands;
}

Result<std::vector<CurveSpec>> read_curves(const TomlFields& figure) {
    PLIMSOLL_ASSIGN(tables, figure.tables("curves"));
    std::vector<CurveSpec> curves;
    for (const TomlFields& fields : tables) {
        PLIMSOLL_RETURN_IF_ERROR(fields.refuse_others({"y", "label"}));
        PLIMSOLL_ASSIGN(text, fields.needed("y"));
        PLIMSOLL_ASSIGN(formula, Formula::parse(text, fields.place("y")));
        for (const auto& name : formula.names())
            if (name != "x")
                return bad_input(fields.place("y"), fmt::format("'{}': must be a formula in x; {} is not x",
                                                                printable(text), name));
        PLIMSOLL_ASSIGN(label, fields.text("label"));
        curves.push_back({text, label, fields.place()});
    }
    return curves;
}

Status read_figure_style(const TomlFields& fields, FigureSpec& figure) {
    PLIMSOLL_ASSIGN(interval, fields.choice<IntervalKind>("interval", {{"t95", IntervalKind::t95},
                                                                       {"range", IntervalKind::range},
                                                                       {"none", IntervalKind::none}}));
    PLIMSOLL_ASSIGN(all_points, fields.choice<bool>("points", {{"mean", false}, {"all", true}}));
    PLIMSOLL_ASSIGN(line, fields.truth("line"));
    PLIMSOLL_ASSIGN(fit, fields.choice<FitKind>("fit", {{"none", FitKind::none},
                                                        {"linear", FitKind::linear},
                                                        {"power", FitKind::power},
                                                        {"quadratic", FitKind::quadratic}}));
    figure.interval = interval;
    figure.all_points = all_points;
    figure.line = line;
    figure.fit = fit;
    return {};
}

Status read_figure_predictions(const TomlFields& fields, FigureSpec& figure) {
    PLIMSOLL_ASSIGN(rules, read_rules(fields));
    PLIMSOLL_ASSIGN(bands, read_bands(fields));
    PLIMSOLL_ASSIGN(curves, read_curves(fields));
    figure.rules = std::move(rules);
    figure.bands = std::move(bands);
    figure.curves = std::move(curves);
    return {};
}

Result<FigureSpec> read_figure(const TomlFields& fields) {
    PLIMSOLL_RETURN_IF_ERROR(fields.refuse_others(
        {"name", "title", "rows", "where", "x", "y", "series", "series_title", "series_order", "apart",
         "facet", "over", "interval", "points", "line", "fit", "rules", "bands", "curves"}));
    PLIMSOLL_ASSIGN(name, read_name(fields));
    PLIMSOLL_ASSIGN(title, fields.text("title", name));
    PLIMSOLL_ASSIGN(rows, fields.text("rows"));
    PLIMSOLL_ASSIGN(where, fields.texts("where"));
    PLIMSOLL_ASSIGN(x, read_axis(fields, "x"));
    PLIMSOLL_ASSIGN(y, read_axis(fields, "y"));
    PLIMSOLL_ASSIGN(series, fields.text("series"));
    PLIMSOLL_ASSIGN(series_title, fields.text("series_title", series));
    PLIMSOLL_ASSIGN(series_order, fields.texts("series_order"));
    PLIMSOLL_ASSIGN(facet, fields.text("facet"));
    PLIMSOLL_ASSIGN(over, fields.text("over", "seed"));
    PLIMSOLL_ASSIGN(apart, fields.text("apart"));
    FigureSpec figure{name,
                      title,
                      rows,
                      where,
                      x,
                      y,
                      series,
                      series_title,
                      facet,
                      apart,
                      series_order,
                      over,
                      fields.has("over")};
    figure.place = fields.place();
    PLIMSOLL_RETURN_IF_ERROR(read_figure_style(fields, figure));
    PLIMSOLL_RETURN_IF_ERROR(read_figure_predictions(fields, figure));
    return figure;
}

Result<TableSpec> read_table_spec(const TomlFields& fields) {
    PLIMSOLL_RETURN_IF_ERROR(
        fields.refuse_others({"name", "title", "rows", "where", "by", "values", "over"}));
    PLIMSOLL_ASSIGN(name, read_name(fields));
    PLIMSOLL_ASSIGN(title, fields.text("title", name));
    PLIMSOLL_ASSIGN(rows, fields.text("rows"));
    PLIMSOLL_ASSIGN(where, fields.texts("where"));
    PLIMSOLL_ASSIGN(by, fields.texts("by"));
    PLIMSOLL_ASSIGN(values, fields.texts("values"));
    PLIMSOLL_ASSIGN(over, fields.text("over", "seed"));
    if (values.empty())
        return bad_input(fields.place(), "values is missing: the columns to average, as in [\"error\"]");
    return TableSpec{name, title, rows, where, by, values, over, fields.has("over"), fields.place()};
}

Result<ContrastSpec> read_contrast(const TomlFields& fields) {
    PLIMSOLL_RETURN_IF_ERROR(
        fields.refuse_others({"name", "rows", "where", "value", "a", "b", "match", "predicted", "margin"}));
    ContrastSpec contrast;
    PLIMSOLL_ASSIGN(name, fields.needed("name"));
    PLIMSOLL_ASSIGN(rows, fields.text("rows"));
    PLIMSOLL_ASSIGN(value, fields.needed("value"));
    PLIMSOLL_ASSIGN(where, fields.texts("where"));
    PLIMSOLL_ASSIGN(a, fields.texts("a"));
    PLIMSOLL_ASSIGN(b, fields.texts("b"));
    PLIMSOLL_ASSIGN(match, fields.texts("match"));
    PLIMSOLL_ASSIGN(predicted, fields.choice<Prediction>("predicted", {{"none", Prediction::none},
                                                                       {"a < b", Prediction::less},
                                                                       {"a > b", Prediction::more},
                                                                       {"a = b", Prediction::equal}}));
    for (const char* key : {"a", "b", "match"})
        if (!fields.has(key) || fields.value(key).empty())
            return bad_input(fields.place(), fmt::format("{} is missing", key));
    if (fields.has("margin")) {
        PLIMSOLL_ASSIGN(margin, number_in(fields, "margin"));
        if (margin < 0) return bad_input(fields.place("margin"), fmt::format("must be >= 0, got {}", margin));
        contrast.margin = margin;
    }
    return ContrastSpec{name, rows, value, where, a, b, match, predicted, contrast.margin, fields.place()};
}

Result<OptimumSpec> read_optimum(const TomlFields& fields) {
    PLIMSOLL_RETURN_IF_ERROR(fields.refuse_others(
        {"name", "rows", "where", "x", "y", "best", "by", "over", "scale", "predicted"}));
    OptimumSpec optimum;
    PLIMSOLL_ASSIGN(name, fields.needed("name"));
    PLIMSOLL_ASSIGN(rows, fields.text("rows"));
    PLIMSOLL_ASSIGN(x, fields.needed("x"));
    PLIMSOLL_ASSIGN(y, fields.needed("y"));
    PLIMSOLL_ASSIGN(where, fields.texts("where"));
    PLIMSOLL_ASSIGN(by, fields.texts("by"));
    PLIMSOLL_ASSIGN(lowest, fields.choice<bool>("best", {{"lowest", true}, {"highest", false}}));
    PLIMSOLL_ASSIGN(over, fields.text("over", "seed"));
    PLIMSOLL_ASSIGN(scale, read_scale(fields));
    if (fields.has("predicted")) {
        PLIMSOLL_ASSIGN(window, window_in(fields, "predicted"));
        optimum.predicted = window;
    }
    return OptimumSpec{name, rows, x, y, where, by, lowest, over, scale, optimum.predicted, fields.place()};
}

Result<DerivedColumn> read_formula(const TomlFields& columns, const std::string& name) {
    PLIMSOLL_ASSIGN(text, columns.needed(name));
    PLIMSOLL_RETURN_IF_ERROR(Formula::parse(text, columns.place(name)));
    return DerivedColumn{name, text, columns.place(name), "", {}};
}

// rank = { of = "name", values = { "1x6" = 385, "3x2" = 340 } }.
Result<DerivedColumn> read_listed(const TomlFields& columns, const std::string& name) {
    const TomlFields fields(columns.value(name), columns.path(name), columns.places());
    PLIMSOLL_RETURN_IF_ERROR(fields.refuse_others({"of", "values"}));
    PLIMSOLL_ASSIGN(of, fields.needed("of"));
    if (!fields.has("values") || !fields.value("values").is_object())
        return bad_input(fields.place(), "values must be a table, as in { \"small\" = 1, \"large\" = 2 }");
    DerivedColumn column{name, "", columns.place(name), of, {}};
    for (const auto& [text, number] : fields.value("values").items()) {
        if (!number.is_number())
            return bad_input(fields.place(), fmt::format("'{}' must be a number", printable(text)));
        column.values.emplace(text, number.get<double>());
    }
    return column;
}

Result<std::vector<DerivedColumn>> read_columns(const TomlFields& file) {
    std::vector<DerivedColumn> columns;
    if (!file.has("columns")) return columns;
    if (!file.value("columns").is_object())
        return bad_input(file.place("columns"), "must be a table: [columns]");
    const TomlFields fields(file.value("columns"), "columns", file.places());
    for (const auto& [name, value] : file.value("columns").items()) {
        PLIMSOLL_ASSIGN(column, value.is_object() ? read_listed(fields, name) : read_formula(fields, name));
        columns.push_back(std::move(column));
    }
    return columns;
}

// The list under `key`, each read by `read`, no name twice.
template <class Spec>
Result<std::vector<Spec>> read_list(const TomlFields& file, const std::string& key,
                                    Result<Spec> (*read)(const TomlFields&)) {
    PLIMSOLL_ASSIGN(tables, file.tables(key));
    std::vector<Spec> list;
    std::set<std::string> names;
    for (const TomlFields& fields : tables) {
        PLIMSOLL_ASSIGN(spec, read(fields));
        if (!names.insert(spec.name).second)
            return bad_input(fields.place("name"), fmt::format("the name '{}' is given twice", spec.name));
        list.push_back(std::move(spec));
    }
    return list;
}

}  // namespace

Result<FigureSet> parse_figures(std::string_view text, const std::string& file) {
    PLIMSOLL_ASSIGN(table, parse_toml(text, file));
    const TomlPlaces places(file, text);
    const TomlFields fields(table, "", places);
    PLIMSOLL_RETURN_IF_ERROR(fields.refuse_others({"columns", "figures", "tables", "contrasts", "optima"}));
    PLIMSOLL_ASSIGN(columns, read_columns(fields));
    PLIMSOLL_ASSIGN(figures, read_list<FigureSpec>(fields, "figures", read_figure));
    PLIMSOLL_ASSIGN(tables, read_list<TableSpec>(fields, "tables", read_table_spec));
    PLIMSOLL_ASSIGN(contrasts, read_list<ContrastSpec>(fields, "contrasts", read_contrast));
    PLIMSOLL_ASSIGN(optima, read_list<OptimumSpec>(fields, "optima", read_optimum));
    return FigureSet{columns, figures, tables, contrasts, optima};
}

Result<FigureSet> read_figures(const std::filesystem::path& path) {
    PLIMSOLL_ASSIGN(text, read_text(path, most_figure_bytes));
    return parse_figures(text, path.string());
}

}  // namespace plimsoll::report

#include "plimsoll/report/vega/vega.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/report/vega/theme.h"
#include "plimsoll/report/vega/vega_axes.h"
#include "plimsoll/report/vega/vega_references.h"

namespace plimsoll::report {
namespace {

constexpr std::size_t dense_from = 40;  // points of a line: its symbols are thinned, its whiskers a band
constexpr std::size_t symbols_per_line = 12;  // then
constexpr std::size_t title_letters = 60, subtitle_letters = 84;

Json point_json(const char* kind, const PointSeries& place) {
    Json point{
        {"kind", kind}, {"facet", place.facet}, {"series", place.series}, {"x", store::cell_json(place.x)}};
    if (!place.apart.empty()) point["apart"] = place.apart;
    return point;
}

// A dot or bracket in the name of a field is a path for Vega-Lite.
std::string fact_field(const std::string& column) {
    std::string field = "fact_" + column;
    std::ranges::replace_if(
        field, [](char c) { return std::string_view(".[]\\'\"").find(c) != std::string_view::npos; }, '_');
    return field;
}

class Painter {
  public:
    explicit Painter(const Drawing& drawing)
        : figure_(drawing.figure), selection_(drawing.selection), data_(drawing.data), fits_(drawing.fits) {
        for (const MeanPoint& mean : data_.means) ++per_line_[{mean.place.facet, mean.place.series}];
        for (const auto& [line, count] : per_line_) dense_ = dense_ || (figure_.line && count > dense_from);
    }

    Result<DrawnFigure> paint(const std::string& subtitle) {
        PLIMSOLL_ASSIGN(references, reference_layers(figure_, data_));
        notes_ = references.notes;
        Json layers = references.below;
        add_own_layers(layers);
        for (Json& layer : references.above) layers.push_back(std::move(layer));
        if (layers.empty()) layers.push_back(empty_layer());
        return DrawnFigure{whole(layers, subtitle), notes_};
    }

  private:
    // ---- data ----
    // The interval of a mean, cut where a logarithmic axis ends.
    void add_interval(Json& row, const Summary& summary) {
        std::optional<Interval> interval = summary.interval;
        if (figure_.interval == IntervalKind::range && summary.count > 1)
            interval = Interval{summary.least, summary.most};
        if (figure_.interval == IntervalKind::none || !interval) return;
        if (figure_.y.scale != Scale::linear && interval->low <= 0) {
            interval->low = least_positive() / 2;
            ++cut_;
        }
        row["low"] = interval->low;
        row["high"] = interval->high;
    }
    [[nodiscard]] double least_positive() const {
        double least = data_.rows.front().y;
        for (const RowPoint& row : data_.rows) least = std::min(least, row.y);
        return least;
    }

    void add_means(Json& values) {
        std::map<std::pair<std::string, std::string>, std::size_t> seen;
        for (const MeanPoint& mean : data_.means) {
            const std::pair line{mean.place.facet, mean.place.series};
            const std::size_t step =
                dense_ ? std::max<std::size_t>(1, per_line_[line] / symbols_per_line) : 1;
            Json row = point_json("mean", mean.place);
            row["y"] = mean.summary.mean;
            row["n"] = mean.summary.count;
            row["symbol"] = seen[line]++ % step == 0;
            add_interval(row, mean.summary);
            values.push_back(std::move(row));
        }
        if (cut_ > 0)
            notes_.push_back(
                fmt::format("{} below 0, cut on the logarithmic axis",
                            cut_ == 1 ? "1 interval reaches" : fmt::format("{} intervals reach", cut_)));
    }

    // The columns that tell which run a point is.
    [[nodiscard]] std::vector<std::string> fact_columns() const {
        std::vector<std::string> facts;
        for (const auto& name : {figure_.over, std::string("run"), std::string("spec")})
            if (selection_.has(name) && std::ranges::find(facts, name) == facts.end()) facts.push_back(name);
        return facts;
    }
    void add_rows(Json& values) const {
        const auto facts = fact_columns();
        for (const RowPoint& point : data_.rows) {
            Json row = point_json("row", point.place);
            row["y"] = point.y;
            for (const auto& name : facts) {
                const auto at = *selection_.column(name, "");
                row[fact_field(name)] = store::cell_json(selection_.table().rows[point.row][at]);
            }
            values.push_back(std::move(row));
        }
    }

    void add_fits(Json& values) const {
        for (const FittedLine& line : fits_.lines)
            for (const FitPoint& point : line.points) {
                Json row = point_json("fit", {line.facet, line.series, point.x});
                row["y"] = point.y;
                if (point.band) {
                    row["low"] = point.band->low;
                    row["high"] = point.band->high;
                }
                values.push_back(std::move(row));
            }
    }

    Json data_json() {
        Json values = Json::array();
        add_means(values);
        if (figure_.all_points) add_rows(values);
        add_fits(values);
        return {{"values", values}};
    }

    // ---- encodings ----
    [[nodiscard]] bool has_series() const { return !data_.series.empty(); }

    [[nodiscard]] std::vector<std::string> series_with_rows() const {
        std::vector<std::string> shown;
        std::ranges::copy_if(data_.series, std::back_inserter(shown), [&](const std::string& label) {
            return std::ranges::any_of(data_.rows,
                                       [&](const RowPoint& row) { return row.place.series == label; });
        });
        return shown;
    }

    [[nodiscard]] std::string shape_of(std::size_t series) const {
        return series < figure_.series_shapes.size() ? figure_.series_shapes[series] : series_shape(series);
    }
    [[nodiscard]] Json dash_of(std::size_t series) const {
        return series < figure_.series_dashes.size() ? Json(figure_.series_dashes[series])
                                                     : series_dash(series);
    }

    // Colour; for points a shape beside it, so that colour never stands alone (lines have dashes).
    void add_series(Json& encoding, bool shape) const {
        if (!has_series()) return;
        Json legend{{"symbolOpacity", 1}, {"symbolSize", 70}, {"symbolFillColor", "transparent"}};
        if (const auto shown = series_with_rows(); shown.size() < data_.series.size())
            legend["values"] = shown;
        const auto channel = [&](Json scale) {
            scale["domain"] = data_.series;
            return Json{{"field", "series"},
                        {"type", "nominal"},
                        {"title", figure_.series_title},
                        {"scale", std::move(scale)},
                        {"legend", legend}};
        };
        encoding["color"] = channel(Json::object());
        if (!shape) return;
        Json range = Json::array();
        for (std::size_t i = 0; i < data_.series.size(); ++i) range.push_back(shape_of(i));
        encoding["shape"] = channel({{"range", range}});
    }

    static Json tip(const std::string& field, const std::string& title, bool number) {
        Json one{{"field", field}, {"type", number ? "quantitative" : "nominal"}, {"title", title}};
        if (number) one["format"] = ",.4~g";
        return one;
    }

    [[nodiscard]] Json place_tips() const {
        Json tips = Json::array();
        if (!data_.facets.empty()) tips.push_back(tip("facet", figure_.facet, false));
        if (has_series()) tips.push_back(tip("series", figure_.series_title, false));
        if (!figure_.apart.empty()) tips.push_back(tip("apart", figure_.apart, false));
        tips.push_back(tip("x", figure_.x.title, !data_.words_on_x));
        tips.push_back(tip("y", figure_.y.title, true));
        return tips;
    }
    [[nodiscard]] Json mean_tips() const {
        Json tips = place_tips();
        if (data_.averaged) tips.push_back(tip("n", figure_.over + "s", true));
        if (!shows_interval()) return tips;
        const bool range = figure_.interval == IntervalKind::range;
        tips.push_back(tip("low", range ? "least" : "95 % from", true));
        tips.push_back(tip("high", range ? "most" : "to", true));
        return tips;
    }
    [[nodiscard]] Json row_tips() const {
        Json tips = place_tips();
        for (const auto& name : fact_columns()) tips.push_back(tip(fact_field(name), name, false));
        return tips;
    }

    [[nodiscard]] bool shows_interval() const {
        return figure_.interval != IntervalKind::none &&
               std::ranges::any_of(data_.means, [](const MeanPoint& m) { return m.summary.count > 1; });
    }

    // ---- layers ----
    [[nodiscard]] Json layer(const char* kind, Json mark, bool interval, bool shape) const {
        Json encoding{{"x", x_channel(figure_, data_, "x")},
                      {"y", y_channel(figure_, data_, interval ? "low" : "y")}};
        if (interval) encoding["y2"] = {{"field", "high"}};
        add_series(encoding, shape);
        std::string filter = fmt::format("datum.kind === '{}'", kind);
        if (interval) filter += " && isValid(datum.low)";
        return {{"transform", Json::array({{{"filter", filter}}})},
                {"mark", std::move(mark)},
                {"encoding", std::move(encoding)}};
    }

    // One layer a series, each with its own dash: an encoded dash would also dash the symbols of the legend.
    void add_lines(Json& layers, const char* kind, const char* style) const {
        if (!has_series()) layers.push_back(layer(kind, styled_mark("line", style), false, false));
        for (std::size_t i = 0; i < data_.series.size(); ++i) {
            Json mark = styled_mark("line", style);
            mark["strokeDash"] = dash_of(i);
            Json line = layer(kind, std::move(mark), false, false);
            line["transform"].push_back({{"filter", {{"field", "series"}, {"equal", data_.series[i]}}}});
            layers.push_back(std::move(line));
        }
    }

    void add_own_layers(Json& layers) const {
        if (data_.means.empty()) return;
        if (!fits_.lines.empty()) {
            layers.push_back(layer("fit", styled_mark("area", "fit-band"), true, false));
            add_lines(layers, "fit", "fit");
        }
        if (figure_.all_points) {
            layers.push_back(layer("row", styled_mark("point", "row"), false, true));
            layers.back()["encoding"]["tooltip"] = row_tips();
        }
        if (shows_interval())
            layers.push_back(layer("mean",
                                   dense_ ? styled_mark("area", "spread") : styled_mark("rule", "whisker"),
                                   true, false));
        if (figure_.line) add_lines(layers, "mean", "line");
        add_mean_symbols(layers);
    }

    // Symbols are rings with the surface inside, so that lines and whiskers end at them.
    void add_mean_symbols(Json& layers) const {
        Json symbols = layer("mean", styled_mark("point", "mean"), false, true);
        if (dense_) symbols["transform"].push_back({{"filter", "datum.symbol"}});
        Json ground = symbols;
        ground["mark"] = styled_mark("point", "ground");
        ground["encoding"].erase("color");
        layers.push_back(std::move(ground));
        symbols["encoding"]["tooltip"] = mean_tips();
        layers.push_back(std::move(symbols));
    }

    static Json empty_layer() {
        return {{"data", {{"values", Json::array({{{"label", "no rows to show yet"}}})}}},
                {"mark", styled_mark("text", "empty")},
                {"encoding", {{"text", {{"field", "label"}, {"type", "nominal"}}}}}};
    }

    // ---- the whole ----
    [[nodiscard]] Json shown_subtitle(const std::string& subtitle) const {
        if (!figure_.subtitle.empty()) return figure_.subtitle;
        return wrapped(subtitle, subtitle_letters);
    }
    Json whole(const Json& layers, const std::string& subtitle) {
        Json spec{{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
                  {"description", figure_.title + ". " + subtitle},
                  {"title",
                   {{"text", wrapped(figure_.title, title_letters)}, {"subtitle", shown_subtitle(subtitle)}}},
                  {"data", data_json()}};
        const bool many = data_.facets.size() > 1 || !figure_.facet.empty();
        Json view{{"width", many ? 250 : 560}, {"height", many ? 200 : 340}, {"layer", layers}};
        if (many && !data_.facets.empty()) {
            spec["facet"] = {
                {"field", "facet"}, {"type", "nominal"}, {"title", nullptr}, {"sort", data_.facets}};
            spec["columns"] = std::min<std::size_t>(3, data_.facets.size());
            spec["spec"] = view;
        } else {
            spec.update(view);
        }
        spec["config"] = vega_config(Theme::light);
        if (figure_.own_y && spec.contains("facet")) spec["resolve"] = {{"scale", {{"y", "independent"}}}};
        return spec;
    }

    const FigureSpec& figure_;
    const Selection& selection_;
    const FigureData& data_;
    const FigureFits& fits_;
    std::map<std::pair<std::string, std::string>, std::size_t> per_line_;
    bool dense_ = false;
    std::size_t cut_ = 0;
    std::vector<std::string> notes_;
};

// "over 3 seeds", "over 2 to 3 seeds".
std::string over_text(const Drawing& drawing) {
    std::size_t least = SIZE_MAX, most = 0;
    for (const MeanPoint& mean : drawing.data.means) {
        least = std::min(least, mean.summary.count);
        most = std::max(most, mean.summary.count);
    }
    const std::string& over = drawing.figure.over;
    if (most == 1) return fmt::format("one {} each, so no interval", over);
    return least == most ? fmt::format("over {}", counted(most, over))
                         : fmt::format("over {} to {} {}s", least, most, over);
}

}  // namespace

std::string subtitle_of(const Drawing& drawing) {
    const FigureData& data = drawing.data;
    if (data.means.empty()) return "No rows to show yet.";
    std::string text;
    const bool single =
        std::ranges::all_of(data.means, [](const MeanPoint& mean) { return mean.summary.count == 1; });
    if (!data.averaged)
        text = "Each point is one row";
    else if (single)
        text = "Points: " + over_text(drawing);
    else if (drawing.figure.interval == IntervalKind::t95)
        text = "Mean and 95 % interval (Student t) " + over_text(drawing);
    else if (drawing.figure.interval == IntervalKind::range)
        text = "Mean, least and most " + over_text(drawing);
    else
        text = "Mean " + over_text(drawing);
    if (drawing.figure.all_points && data.averaged && !single) text += "; faint points: single runs";
    if (!drawing.fits.lines.empty()) text += "; fitted by least squares, with its 95 % band";
    return text + ".";
}

std::vector<std::string> wrapped(const std::string& text, std::size_t most) {
    std::vector<std::string> lines;
    for (const auto& word : split(text, ' ')) {
        if (lines.empty() || lines.back().size() + 1 + word.size() > most)
            lines.push_back(word);
        else
            lines.back() += " " + word;
    }
    if (lines.empty()) lines.emplace_back();
    return lines;
}

Result<DrawnFigure> draw(const Drawing& drawing) { return Painter(drawing).paint(subtitle_of(drawing)); }

}  // namespace plimsoll::report

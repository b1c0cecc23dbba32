#include "plimsoll/report/vega/vega_references.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/report/figure_fit.h"
#include "plimsoll/report/formula.h"
#include "plimsoll/report/vega/vega_axes.h"

namespace plimsoll::report {
namespace {

constexpr std::size_t curve_places = 101;
constexpr int caption_step = 15;  // px between captions that would lie on each other

// Captions of vertical things: each a line lower than the one before.
class Captions {
  public:
    int next() { return first_ + caption_step * count_++; }

  private:
    int first_ = 6;
    int count_ = 0;
};

Status check_axis(const AxisSpec& axis, bool words, double least, const std::string& place) {
    if (words)
        return bad_input(place, fmt::format("column {} holds text: no number lies on it", axis.column));
    if (axis.scale != Scale::linear && least <= 0)
        return bad_input(place, fmt::format("must be positive on the logarithmic axis of {}", axis.column));
    return {};
}

Json values_of(Json row) { return {{"values", Json::array({std::move(row)})}}; }

Json label_channel() { return {{"field", "label"}, {"type", "nominal"}}; }

// The layers of one figure.
class Layers {
  public:
    Layers(const FigureSpec& figure, const FigureData& data) : figure_(figure), data_(data) {}

    [[nodiscard]] Json channel(bool vertical, const char* field) const {
        return vertical ? x_channel(figure_, data_, field) : y_channel(figure_, data_, field);
    }

    // The caption of something vertical: beside it at the top; of something horizontal: above it at the left.
    [[nodiscard]] Json caption(const std::string& label, bool vertical, double at, int offset,
                               const char* style) const {
        Json text = styled_mark("text", style);
        text.update({{"align", "left"},
                     {"baseline", vertical ? "top" : "bottom"},
                     {"dx", 5},
                     {"dy", vertical ? 0 : -3}});
        Json encoding{{"text", label_channel()}};
        encoding[vertical ? "x" : "y"] = channel(vertical, "at");
        encoding[vertical ? "y" : "x"] = {{"value", vertical ? offset : 0}};
        return {{"data", values_of({{"at", at}, {"label", label}})}, {"mark", text}, {"encoding", encoding}};
    }

    [[nodiscard]] Json rule(const RuleSpec& rule) const {
        Json encoding{{rule.vertical ? "x" : "y", channel(rule.vertical, "at")}};
        if (!rule.label.empty()) encoding["tooltip"] = label_channel();
        return {{"data", values_of({{"at", rule.at}, {"label", rule.label}})},
                {"mark", styled_mark("rule", "reference")},
                {"encoding", encoding}};
    }

    [[nodiscard]] Json band(const BandSpec& band) const {
        Json encoding{{band.vertical ? "x" : "y", channel(band.vertical, "low")},
                      {band.vertical ? "x2" : "y2", {{"field", "high"}}}};
        return {{"data", values_of({{"low", band.low}, {"high", band.high}})},
                {"mark", styled_mark("rect", "window")},
                {"encoding", encoding}};
    }

    [[nodiscard]] Json curve(const Json& points) const {
        return {{"data", {{"values", points}}},
                {"mark", styled_mark("line", "predicted")},
                {"encoding", {{"x", channel(true, "x")}, {"y", channel(false, "y")}}}};
    }

    // The caption of a curve, at its right end.
    [[nodiscard]] Json end_caption(const Json& last) const {
        Json text = styled_mark("text", "caption");
        text.update({{"align", "right"}, {"baseline", "bottom"}, {"dy", -5}});
        return {
            {"data", values_of(last)},
            {"mark", text},
            {"encoding", {{"x", channel(true, "x")}, {"y", channel(false, "y")}, {"text", label_channel()}}}};
    }

  private:
    const FigureSpec& figure_;
    const FigureData& data_;
};

// The x over which curves are drawn; none when nothing says where.
std::optional<std::pair<double, double>> range_of_x(const FigureSpec& figure, const FigureData& data) {
    std::vector<double> all;
    for (const RowPoint& row : data.rows) all.push_back(store::number_of(row.place.x));
    if (all.empty())
        for (const RuleSpec& rule : figure.rules)
            if (rule.vertical) all.push_back(rule.at);
    for (const BandSpec& band : figure.bands)
        if (band.vertical && data.rows.empty()) all.insert(all.end(), {band.low, band.high});
    if (all.empty()) return std::nullopt;
    const auto [least, most] = std::ranges::minmax(all);
    return std::pair(least, most);
}

// The points of a curve that can be drawn.
Result<Json> curve_points(const CurveSpec& curve, const FigureSpec& figure, std::pair<double, double> range,
                          References& out) {
    PLIMSOLL_ASSIGN(formula, Formula::parse(curve.formula, curve.place));
    Json points = Json::array();
    std::size_t without = 0;
    for (const double x : places_between(range.first, range.second, figure.x.scale, curve_places)) {
        const auto y = formula.value([x](const std::string&) { return std::optional(x); }).number;
        if (y && (figure.y.scale == Scale::linear || *y > 0))
            points.push_back({{"x", x}, {"y", *y}, {"label", curve.label}});
        else
            ++without;
    }
    if (without > 0)
        out.notes.push_back(fmt::format("the curve {} has no value on {} of {} places", curve.formula,
                                        without, curve_places));
    return points;
}

Status add_curve(References& out, const CurveSpec& curve, const FigureSpec& figure, const FigureData& data) {
    if (data.words_on_x) return check_axis(figure.x, true, 1, curve.place);
    const auto range = range_of_x(figure, data);
    if (!range) return {};
    PLIMSOLL_ASSIGN(points, curve_points(curve, figure, *range, out));
    if (points.empty()) return {};
    const Layers layers(figure, data);
    out.above.push_back(layers.curve(points));
    if (!curve.label.empty()) out.above.push_back(layers.end_caption(points.back()));
    return {};
}

}  // namespace

Result<References> reference_layers(const FigureSpec& figure, const FigureData& data) {
    References out;
    Captions captions;
    const Layers layers(figure, data);
    for (const BandSpec& band : figure.bands) {
        const AxisSpec& axis = band.vertical ? figure.x : figure.y;
        PLIMSOLL_RETURN_IF_ERROR(check_axis(axis, band.vertical && data.words_on_x, band.low, band.place));
        out.below.push_back(layers.band(band));
        if (!band.label.empty())
            out.above.push_back(layers.caption(band.label, band.vertical,
                                               band.vertical ? band.low : band.high,
                                               band.vertical ? captions.next() : 0, "window-caption"));
    }
    for (const RuleSpec& rule : figure.rules) {
        const AxisSpec& axis = rule.vertical ? figure.x : figure.y;
        PLIMSOLL_RETURN_IF_ERROR(check_axis(axis, rule.vertical && data.words_on_x, rule.at, rule.place));
        out.above.push_back(layers.rule(rule));
        if (!rule.label.empty())
            out.above.push_back(layers.caption(rule.label, rule.vertical, rule.at,
                                               rule.vertical ? captions.next() : 0, "caption"));
    }
    for (const CurveSpec& curve : figure.curves)
        PLIMSOLL_RETURN_IF_ERROR(add_curve(out, curve, figure, data));
    return out;
}

}  // namespace plimsoll::report

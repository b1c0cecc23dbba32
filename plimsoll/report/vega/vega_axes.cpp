#include "plimsoll/report/vega/vega_axes.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace plimsoll::report {
namespace {

constexpr double short_from = 1e6;  // 1M and not 1 000 000 from here
constexpr std::size_t most_own_ticks =
    8;  // up to here a logarithmic axis has its ticks at the values themselves
constexpr std::size_t most_powers = 16;  // the same where all are powers of two
constexpr int point_room = 10;           // px between the outermost points and the frame

// Points keep off the frame: on x by some room, on y by round ends.
Json scale_json(Scale scale, bool on_x) {
    Json json{{"type", scale == Scale::linear ? "linear" : "log"}};
    if (scale == Scale::linear) json["zero"] = false;
    if (scale != Scale::linear) json["base"] = scale == Scale::log ? 10 : 2;
    json["nice"] = scale == Scale::linear && !on_x;
    if (on_x || scale != Scale::linear) json["padding"] = point_room;
    return json;
}

// 1, 2 and 5 times powers of ten within the values; none when there are too few to read an axis by.
std::vector<double> round_ticks(double least, double most) {
    std::vector<double> ticks;
    for (int power = static_cast<int>(std::floor(std::log10(least))); power <= std::log10(most); ++power)
        for (const int digit : {1, 2, 5}) {
            const double tick = digit * std::pow(10.0, power);
            if (tick >= least && tick <= most) ticks.push_back(tick);
        }
    return ticks.size() >= 3 && ticks.size() <= 10 ? ticks : std::vector<double>();
}

// Where a logarithmic axis has its ticks; empty when the library may choose.
std::vector<double> log_ticks(const std::set<double>& values, bool own) {
    if (values.empty()) return {};
    const bool powers = std::ranges::all_of(
        values, [](double value) { return std::exp2(std::round(std::log2(value))) == value; });
    if (own && values.size() <= (powers ? most_powers : most_own_ticks))
        return {values.begin(), values.end()};
    return round_ticks(*values.begin(), *values.rbegin());
}

// Ticks as the page writes numbers: narrow spaces between thousands, 1M and 1B beyond.
Json axis_json(const AxisSpec& axis, const std::set<double>& values, bool own_ticks) {
    Json json = Json::object();
    const double largest =
        values.empty() ? 0 : std::max(std::abs(*values.begin()), std::abs(*values.rbegin()));
    if (!axis.format.empty())
        json["format"] = axis.format;
    else if (largest < short_from)
        json["format"] = ",.12~g";
    else
        json["labelExpr"] = "replace(format(datum.value, '~s'), 'G', 'B')";
    if (axis.scale == Scale::linear) return json;
    const auto ticks = axis.ticks ? *axis.ticks : log_ticks(values, own_ticks);
    if (!ticks.empty()) json["values"] = ticks;
    return json;
}

Json channel(const AxisSpec& axis, const char* field, const std::set<double>& values, bool on_x) {
    return {{"field", field},
            {"type", "quantitative"},
            {"title", axis.title},
            {"scale", scale_json(axis.scale, on_x)},
            {"axis", axis_json(axis, values, on_x)}};
}

std::set<double> values_on_x(const FigureData& data) {
    std::set<double> values;
    for (const RowPoint& row : data.rows) values.insert(store::number_of(row.place.x));
    return values;
}

std::set<double> values_on_y(const FigureData& data) {
    std::set<double> values;
    for (const RowPoint& row : data.rows) values.insert(row.y);
    return values;
}

}  // namespace

Json x_channel(const FigureSpec& figure, const FigureData& data, const char* field) {
    if (!data.words_on_x) return channel(figure.x, field, values_on_x(data), true);
    return {{"field", field}, {"type", "nominal"}, {"title", figure.x.title}, {"axis", {{"labelAngle", 0}}}};
}

Json y_channel(const FigureSpec& figure, const FigureData& data, const char* field) {
    Json out = channel(figure.y, field, values_on_y(data), false);
    // The title lies level above the axis, as on the page; small multiples have their names there.
    if (!figure.facet.empty()) return out;
    out["axis"].update(level_title());
    return out;
}

Json level_title() {
    return {{"titleAngle", 0},           {"titleAlign", "left"}, {"titleAnchor", "end"},
            {"titleBaseline", "bottom"}, {"titleX", 0},          {"titleY", -8}};
}

Json styled_mark(const char* type, const char* style) { return {{"type", type}, {"style", style}}; }

}  // namespace plimsoll::report

#include "plimsoll/report/vega_axes.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::report {
namespace {

constexpr double short_from = 1e6;  // 1M and not 1 000 000 from here

Json scale_json(Scale scale) {
    if (scale == Scale::linear) return {{"type", "linear"}, {"zero", false}, {"nice", true}};
    return {{"type", "log"}, {"base", scale == Scale::log ? 10 : 2}, {"nice", false}};
}

// Ticks as the page writes numbers: narrow spaces between thousands, 1M and 1B beyond.
Json axis_json(double largest) {
    if (largest < short_from) return {{"format", ",.12~g"}};
    return {{"labelExpr", "replace(format(datum.value, '~s'), 'G', 'B')"}};
}

Json channel(const AxisSpec& axis, const char* field, double largest) {
    return {{"field", field},
            {"type", "quantitative"},
            {"title", axis.title},
            {"scale", scale_json(axis.scale)},
            {"axis", axis_json(largest)}};
}

double largest_x(const FigureData& data) {
    double largest = 0;
    for (const RowPoint& row : data.rows)
        largest = std::max(largest, std::abs(store::number_of(row.place.x)));
    return largest;
}

double largest_y(const FigureData& data) {
    double largest = 0;
    for (const RowPoint& row : data.rows) largest = std::max(largest, std::abs(row.y));
    return largest;
}

}  // namespace

Json x_channel(const FigureSpec& figure, const FigureData& data, const char* field) {
    if (!data.words_on_x) return channel(figure.x, field, largest_x(data));
    return {{"field", field}, {"type", "nominal"}, {"title", figure.x.title}, {"axis", {{"labelAngle", 0}}}};
}

Json y_channel(const FigureSpec& figure, const FigureData& data, const char* field) {
    Json out = channel(figure.y, field, largest_y(data));
    // The title lies level above the axis, as on the page.
    out["axis"].update({{"titleAngle", 0},
                        {"titleAlign", "left"},
                        {"titleAnchor", "end"},
                        {"titleBaseline", "bottom"},
                        {"titleX", 0},
                        {"titleY", -8}});
    return out;
}

Json styled_mark(const char* type, const char* style) { return {{"type", type}, {"style", style}}; }

}  // namespace plimsoll::report

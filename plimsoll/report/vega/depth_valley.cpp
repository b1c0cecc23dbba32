#include "plimsoll/report/vega/depth_valley.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/report/vega/theme.h"
#include "plimsoll/report/vega/vega_axes.h"

namespace plimsoll::report {
namespace {

constexpr double margin = 1.12;  // of the depths on both sides

class DepthValleyPainter {
  public:
    explicit DepthValleyPainter(const DepthValley& figure) : figure_(figure) {
        for (const auto& point : figure.points) depths_.push_back(static_cast<double>(point.depth));
        std::ranges::sort(depths_);
        depths_.erase(std::unique(depths_.begin(), depths_.end()), depths_.end());
    }

    [[nodiscard]] Json layers() const {
        Json all = Json::array();
        if (figure_.expected)
            add(all, {expected_layer(), range_caption(*figure_.expected, "window-caption", 0)});
        if (figure_.valley) add(all, {valley_layer(), level_layer(), level_caption()});
        if (!figure_.curve.empty()) add(all, {band_layer(), curve_layer()});
        if (figure_.best) add(all, {best_layer()});
        add(all, {run_layer(), ground_layer(), mean_layer()});
        return all;
    }

  private:
    static void add(Json& all, std::initializer_list<Json> layers) {
        for (const auto& layer : layers) all.push_back(layer);
    }

    // ---- scales ----
    [[nodiscard]] double lowest() const { return depths_.empty() ? 1 : depths_.front() / margin; }
    [[nodiscard]] double highest() const { return depths_.empty() ? 2 : depths_.back() * margin; }
    [[nodiscard]] Json depth_channel(const char* field) const {
        return {{"field", field},
                {"type", "quantitative"},
                {"title", "depth, layers"},
                {"scale", {{"type", "log"}, {"nice", false}, {"domain", {lowest(), highest()}}}},
                {"axis", {{"values", depths_}, {"format", ".0f"}, {"grid", false}}}};
    }
    [[nodiscard]] Json value_channel(const char* field) const {
        Json channel{{"field", field},
                     {"type", "quantitative"},
                     {"title", figure_.value_title},
                     {"scale", {{"zero", false}, {"nice", false}, {"domain", {figure_.least, figure_.most}}}},
                     {"axis", level_title()}};
        return channel;
    }
    [[nodiscard]] Json place() const { return {{"x", depth_channel("x")}, {"y", value_channel("y")}}; }
    static Json clipped(const char* type, const char* style) {
        Json mark = styled_mark(type, style);
        mark["clip"] = true;
        return mark;
    }
    static Json layer(Json values, Json mark, Json encoding) {
        return {{"data", {{"values", std::move(values)}}},
                {"mark", std::move(mark)},
                {"encoding", std::move(encoding)}};
    }

    // ---- what theory expects ----
    [[nodiscard]] Json expected_layer() const {
        const double low = std::max(figure_.expected->low, lowest());
        Json encoding{{"x", depth_channel("x")}, {"x2", {{"field", "x2"}}}};
        return layer(Json::array({{{"x", low}, {"x2", std::min(figure_.expected->high, highest())}}}),
                     clipped("rect", "window"), encoding);
    }
    [[nodiscard]] Json range_caption(const DepthRange& range, const char* style, int offset) const {
        Json mark = styled_mark("text", style);
        mark.update({{"align", "left"}, {"baseline", "top"}, {"dx", 5}, {"dy", 4}});
        return layer(Json::array({{{"x", std::max(range.low, lowest())}, {"label", range.label}}}), mark,
                     {{"x", depth_channel("x")},
                      {"y", {{"value", offset}}},
                      {"text", {{"field", "label"}, {"type", "nominal"}}}});
    }

    // ---- the valley ----
    [[nodiscard]] Json valley_layer() const {
        Json values = Json::array();
        const auto& valley = *figure_.valley;
        for (const auto& at : figure_.curve)
            if (at.depth >= valley.low && at.depth <= valley.high)
                values.push_back({{"x", at.depth}, {"y", at.value}, {"y2", figure_.level}});
        Json encoding = place();
        encoding["y2"] = {{"field", "y2"}};
        Json mark = clipped("area", "spread");
        mark["opacity"] = 0.3;
        return layer(std::move(values), std::move(mark), encoding);
    }
    [[nodiscard]] Json level_layer() const {
        Json encoding = place();
        encoding["x2"] = {{"field", "x2"}};
        return layer(
            Json::array({{{"x", figure_.valley->low}, {"x2", figure_.valley->high}, {"y", figure_.level}}}),
            clipped("rule", "reference"), encoding);
    }
    [[nodiscard]] Json level_caption() const {
        Json mark = styled_mark("text", "caption");
        const bool up = figure_.level < figure_.curve.front().value || figure_.level > figure_.least;
        mark.update({{"align", "center"}, {"baseline", up ? "bottom" : "top"}, {"dy", -4}});
        const double middle = std::sqrt(figure_.valley->low * figure_.valley->high);
        Json encoding = place();
        encoding["text"] = {{"field", "label"}, {"type", "nominal"}};
        return layer(Json::array({{{"x", middle}, {"y", figure_.level}, {"label", figure_.valley->label}}}),
                     mark, encoding);
    }

    // ---- the curve ----
    [[nodiscard]] Json curve_values() const {
        Json values = Json::array();
        for (const auto& at : figure_.curve)
            values.push_back({{"x", at.depth}, {"y", at.value}, {"low", at.low}, {"high", at.high}});
        return values;
    }
    [[nodiscard]] Json band_layer() const {
        Json encoding{{"x", depth_channel("x")}, {"y", value_channel("low")}, {"y2", {{"field", "high"}}}};
        return layer(curve_values(), clipped("area", "fit-band"), encoding);
    }
    [[nodiscard]] Json curve_layer() const { return layer(curve_values(), clipped("line", "fit"), place()); }
    // Where the best depth may be: a bar at the height of the curve's lowest place.
    [[nodiscard]] Json best_layer() const {
        const auto lowest_place = std::ranges::min_element(
            figure_.curve, {}, [&](const auto& at) { return std::abs(at.depth - middle_of_best()); });
        Json mark = clipped("rule", "whisker");
        mark["strokeWidth"] = 3;
        Json encoding = place();
        encoding["x2"] = {{"field", "x2"}};
        encoding["tooltip"] = {{"field", "label"}, {"type", "nominal"}};
        return layer(Json::array({{{"x", figure_.best->low},
                                   {"x2", figure_.best->high},
                                   {"y", lowest_place->value},
                                   {"label", figure_.best->label}}}),
                     mark, encoding);
    }
    [[nodiscard]] double middle_of_best() const { return std::sqrt(figure_.best->low * figure_.best->high); }

    // ---- the networks ----
    [[nodiscard]] Json point_values(bool mean) const {
        Json values = Json::array();
        for (const auto& point : figure_.points)
            if (point.mean == mean)
                values.push_back({{"x", point.depth},
                                  {"y", point.value},
                                  {"role", point.role},
                                  {"network", point.network}});
        return values;
    }
    [[nodiscard]] Json points_of(bool mean, const char* style) const {
        Json encoding = place();
        encoding["color"] = role_colour(figure_.roles);
        encoding["shape"] = role_symbol(figure_.roles);
        encoding["tooltip"] = Json::array(
            {{{"field", "network"}, {"type", "nominal"}},
             {{"field", "role"}, {"type", "nominal"}},
             {{"field", "y"}, {"type", "quantitative"}, {"title", figure_.value_unit}, {"format", ".5~g"}}});
        return layer(point_values(mean), clipped("point", style), encoding);
    }
    [[nodiscard]] Json run_layer() const { return points_of(false, "row"); }
    [[nodiscard]] Json mean_layer() const { return points_of(true, "mean"); }
    [[nodiscard]] Json ground_layer() const {
        Json ground = points_of(true, "ground");
        ground["encoding"].erase("color");
        ground["encoding"].erase("tooltip");
        return ground;
    }

    const DepthValley& figure_;
    std::vector<double> depths_;
};

}  // namespace

Json depth_valley_vega(const DepthValley& figure) {
    return {{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
            {"description", figure.title},
            {"title", {{"text", figure.title}, {"subtitle", figure.subtitle}}},
            {"width", 560},
            {"height", 340},
            {"layer", DepthValleyPainter(figure).layers()},
            {"config", vega_config(Theme::light)}};
}

}  // namespace plimsoll::report

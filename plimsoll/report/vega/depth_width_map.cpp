#include "plimsoll/report/vega/depth_width_map.h"

#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/report/vega/theme.h"
#include "plimsoll/report/vega/vega_axes.h"

namespace plimsoll::report {
namespace {

constexpr double contour_strength = 0.11;  // of one contour's colour
constexpr int map_height = 420;

Json ticks_within(const std::vector<double>& all, double low, double high) {
    Json values = Json::array();
    for (const double tick : all)
        if (tick >= low && tick <= high) values.push_back(tick);
    return values;
}

Json map_layer(Json values, Json mark, Json encoding) {
    return {{"data", {{"values", std::move(values)}}},
            {"mark", std::move(mark)},
            {"encoding", std::move(encoding)}};
}

class MapPainter {
  public:
    explicit MapPainter(const DepthWidthMap& map) : map_(map), frame_(map.frame) {}

    [[nodiscard]] Json layers() const {
        Json all = Json::array();
        for (const MapContour& contour : map_.contours) add_contour(all, contour);
        for (auto&& layer : {band_layer(), line_layer(), budget_layer()}) all.push_back(layer);
        for (auto&& caption : captions()) all.push_back(caption);
        for (auto&& symbols : point_layers()) all.push_back(symbols);
        for (const char* style : {"halo", "advice-caption"}) all.push_back(name_layer(style));
        return all;
    }

  private:
    // ---- scales ----
    [[nodiscard]] Json width_channel() const {
        std::vector<double> all;
        for (double power = 4; power < 1e6; power *= 2) all.insert(all.end(), {power, 1.5 * power});
        if (frame_.high_width / frame_.low_width > 16)
            std::erase_if(all, [](double tick) { return std::exp2(std::round(std::log2(tick))) != tick; });
        return {{"field", "x"},
                {"type", "quantitative"},
                {"title", map_.width_title},
                {"scale",
                 {{"type", "log"},
                  {"base", 2},
                  {"nice", false},
                  {"domain", {frame_.low_width, frame_.high_width}}}},
                {"axis",
                 {{"values", ticks_within(all, frame_.low_width, frame_.high_width)},
                  {"format", ",.12~g"},
                  {"grid", false}}}};
    }
    [[nodiscard]] Json depth_channel() const {
        const std::vector<double> all{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};
        Json axis{{"values", ticks_within(all, frame_.low_depth, frame_.high_depth)}, {"grid", false}};
        axis.update(level_title());
        return {{"field", "y"},
                {"type", "quantitative"},
                {"title", "depth, deeper downward"},
                {"scale",
                 {{"type", "log"},
                  {"base", 2},
                  {"nice", false},
                  {"reverse", true},
                  {"domain", {frame_.low_depth, frame_.high_depth}}}},
                {"axis", std::move(axis)}};
    }
    [[nodiscard]] Json place() const { return {{"x", width_channel()}, {"y", depth_channel()}}; }
    [[nodiscard]] Json area() const {
        Json encoding = place();
        encoding["y2"] = {{"field", "y2"}};
        return encoding;
    }

    // ---- capacity ----
    // An area from where it is reached downwards: they add up to the depth of colour.
    void add_contour(Json& all, const MapContour& contour) const {
        Json values = Json::array();
        for (const MapPoint& at : contour.places)
            values.push_back({{"x", at.width}, {"y", at.depth}, {"y2", frame_.high_depth}});
        Json water = styled_mark("area", "water"), line = styled_mark("line", "contour");
        water.update({{"clip", true}, {"opacity", contour_strength}});
        line["clip"] = true;
        all.push_back(map_layer(values, line, place()));
        all.push_back(map_layer(values, water, area()));
        if (std::floor(contour.power) == contour.power) label_contour(all, contour);
    }
    // At the left, just below its line.
    void label_contour(Json& all, const MapContour& contour) const {
        const double depth = contour.places.front().depth;
        if (depth < 1 || depth > frame_.high_depth / 1.1) return;
        all.push_back(caption({frame_.low_width * 1.02, depth}, fmt::format("10^{:g}", contour.power), "left",
                              3, "contour-caption"));
    }

    // ---- the line, its band, the budget ----
    [[nodiscard]] Json band_values(double low, double high) const {
        Json values = Json::array();
        for (const MapPoint& at : map_.line)
            values.push_back({{"x", at.width}, {"y", low * at.depth}, {"y2", high * at.depth}});
        return values;
    }
    [[nodiscard]] Json line_layer() const {
        Json mark = styled_mark("line", "load-line");
        mark["clip"] = true;
        return map_layer(band_values(1, 1), mark, place());
    }
    [[nodiscard]] Json band_layer() const {
        Json mark = styled_mark("area", "window");
        mark.update({{"clip", true}, {"opacity", 0.28}});
        return map_layer(band_values(map_.band_low, map_.band_high), mark, area());
    }
    [[nodiscard]] Json budget_layer() const {
        Json values = Json::array();
        for (const auto& [width, depth] : map_.budget) values.push_back({{"x", width}, {"y", depth}});
        Json encoding = place();
        encoding["order"] = {{"field", "y"}, {"type", "quantitative"}};
        Json mark = styled_mark("line", "budget");
        mark.update({{"clip", true}, {"strokeWidth", 1.4}});
        return map_layer(std::move(values), mark, std::move(encoding));
    }
    [[nodiscard]] Json caption(const MapPoint& at, const std::string& text, const char* align, int dy,
                               const char* style) const {
        Json mark = styled_mark("text", style);
        mark.update({{"align", align}, {"baseline", dy < 0 ? "bottom" : "top"}, {"dy", dy}, {"dx", 0}});
        Json encoding = place();
        encoding["text"] = {{"field", "label"}, {"type", "nominal"}};
        return map_layer(Json::array({{{"x", at.width}, {"y", at.depth}, {"label", text}}}), mark,
                         std::move(encoding));
    }
    // At the right end, where the line is flat and networks are few.
    [[nodiscard]] Json captions() const {
        const auto [width, line] = map_.line_end;
        Json all = Json::array({caption({width, line}, map_.line_name, "right", -4, "caption"),
                                caption({width, map_.band_high * line}, "where the best is expected", "right",
                                        4, "window-caption")});
        if (map_.budget.empty()) return all;
        const auto& [budget_width, depth] = map_.budget.front();
        all.push_back(caption({static_cast<double>(budget_width) / 1.06, static_cast<double>(depth)},
                              "this budget", "right", 3, "budget-caption"));
        return all;
    }

    // ---- networks ----
    [[nodiscard]] Json network_values() const {
        Json values = Json::array();
        for (const MapNetwork& network : map_.networks)
            values.push_back({{"x", network.width},
                              {"y", network.depth},
                              {"role", network.role},
                              {"network", network.label},
                              {"capacity", network.capacity},
                              {"lines", network.lines}});
        return values;
    }
    [[nodiscard]] Json point_layers() const {
        Json encoding = place();
        encoding["shape"] = role_symbol(map_.roles);
        Json ground = map_layer(network_values(), styled_mark("point", "ground"), encoding);
        encoding["color"] = role_colour(map_.roles);
        encoding["tooltip"] = Json::array(
            {{{"field", "network"}, {"type", "nominal"}},
             {{"field", "role"}, {"type", "nominal"}},
             {{"field", "capacity"}, {"type", "quantitative"}, {"format", ".4~g"}},
             {{"field", "lines"}, {"type", "quantitative"}, {"title", "depth / line"}, {"format", ".3~g"}}});
        return Json::array(
            {ground, map_layer(network_values(), styled_mark("point", "mean"), std::move(encoding))});
    }
    [[nodiscard]] Json name_layer(const char* style) const {
        const MapNetwork& best = map_.networks.back();
        Json name = caption({static_cast<double>(best.width), static_cast<double>(best.depth)},
                            fmt::format("{} \u00d7 {}", best.depth, best.width), "left", 0, style);
        name["mark"].update({{"dx", 14}, {"dy", -6}, {"baseline", "bottom"}});
        return name;
    }

    const DepthWidthMap& map_;
    const MapFrame& frame_;
};

}  // namespace

Json map_vega(const DepthWidthMap& map) {
    return {{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
            {"description", map.title},
            {"title", {{"text", map.title}, {"subtitle", map.subtitle}}},
            {"width", 560},
            {"height", map_height},
            {"layer", MapPainter(map).layers()},
            {"config", vega_config(Theme::light)}};
}

}  // namespace plimsoll::report

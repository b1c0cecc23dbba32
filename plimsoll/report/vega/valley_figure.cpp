#include "plimsoll/report/vega/valley_figure.h"

#include "plimsoll/report/vega/theme.h"
#include "plimsoll/report/vega/vega_axes.h"

namespace plimsoll::report {
namespace {

Json valley_place(const char* y_field) {
    return {{"x",
             {{"field", "size"},
              {"type", "quantitative"},
              {"title", "non-embedding parameters"},
              {"scale", {{"type", "log"}, {"nice", false}, {"padding", 12}}},
              {"axis",
               {{"values", {1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10}},
                {"labelExpr", "replace(format(datum.value, '~s'), 'G', 'B')"},
                {"grid", false}}}}},
            {"y",
             {{"field", y_field},
              {"type", "quantitative"},
              {"title", "depth"},
              {"scale", {{"type", "log"}, {"base", 2}, {"nice", false}}},
              {"axis", [] {
                   Json axis{{"values", {1, 2, 4, 8, 16, 32, 64, 128, 256}}, {"grid", false}};
                   axis.update(level_title());
                   return axis;
               }()}}}};
}

Json spanned_place(const char* low, const char* high) {
    Json encoding = valley_place(low);
    encoding["y2"] = {{"field", high}};
    return encoding;
}

Json edge_values(const std::vector<ValleyEdge>& line) {
    Json values = Json::array();
    for (const auto& at : line)
        values.push_back({{"size", at.size}, {"best", at.best}, {"low", at.low}, {"high", at.high}});
    return values;
}

Json bar_values(const std::vector<ValleyBar>& bars) {
    Json values = Json::array();
    for (const auto& bar : bars)
        values.push_back({{"study", bar.study},
                          {"group", bar.group},
                          {"size", bar.size},
                          {"best", bar.best},
                          {"low", bar.low},
                          {"high", bar.high}});
    return values;
}

Json line_layers(const std::vector<ValleyEdge>& line) {
    Json area = styled_mark("area", "window"), stroke = styled_mark("line", "load-line");
    area["opacity"] = 0.28;
    const Json data{{"values", edge_values(line)}};
    return Json::array({{{"data", data}, {"mark", area}, {"encoding", spanned_place("low", "high")}},
                        {{"data", data}, {"mark", stroke}, {"encoding", valley_place("best")}}});
}

Json bar_tips() {
    Json tips = Json::array({{{"field", "group"}, {"type", "nominal"}}});
    for (const char* name : {"low", "best", "high"})
        tips.push_back({{"field", name}, {"type", "quantitative"}, {"format", ".3~g"}});
    return tips;
}

void add_bars(Json& layers, const std::vector<ValleyBar>& bars) {
    const Json data{{"values", bar_values(bars)}};
    const Json study{{"field", "study"}, {"type", "nominal"}, {"title", nullptr}, {"sort", nullptr}};
    Json rule{{"data", data}, {"mark", {{"type", "rule"}, {"strokeWidth", 1.6}}}};
    rule["encoding"] = spanned_place("low", "high");
    Json point{{"data", data}, {"mark", styled_mark("point", "mean")}, {"encoding", valley_place("best")}};
    // As stroke without a legend: two marks with a color would give two legends.
    rule["encoding"]["stroke"] = point["encoding"]["color"] = point["encoding"]["shape"] = study;
    rule["encoding"]["stroke"]["legend"] = nullptr;
    point["encoding"]["tooltip"] = bar_tips();
    layers.push_back(std::move(rule));
    layers.push_back(std::move(point));
}

}  // namespace

Json valley_vega(const ValleyFigure& figure) {
    Json layers = line_layers(figure.line);
    add_bars(layers, figure.bars);
    return {{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
            {"description", figure.title},
            {"title", {{"text", figure.title}, {"subtitle", figure.subtitle}}},
            {"width", 560},
            {"height", 340},
            {"layer", std::move(layers)},
            {"config", vega_config(Theme::light)}};
}

}  // namespace plimsoll::report

#include "plimsoll/report/vega/race_figure.h"

#include "plimsoll/base/format.h"
#include "plimsoll/report/vega/theme.h"
#include "plimsoll/report/vega/vega_axes.h"

namespace plimsoll::report {
namespace {

Json race_row(const RacePoint& point) {
    return {{"kind", point.at_end ? "end" : "course"},
            {"role", point.role},
            {"network", point.network},
            {"id", point.id},
            {"course", point.course},
            {"rung", point.rung},
            {"seeds", point.seeds},
            {"x", point.x},
            {"y", point.y}};
}

Json race_rows(const RaceFigure& race) {
    Json rows = Json::array();
    for (const RacePoint& point : race.points) rows.push_back(race_row(point));
    return rows;
}

Json race_axis(const char* field, const std::string& title, Json scale, Json axis) {
    return {{"field", field},
            {"type", "quantitative"},
            {"title", title},
            {"scale", std::move(scale)},
            {"axis", std::move(axis)}};
}

// The points of one kind; `detail` names what lines join, null for symbols.
Json race_layer(const RaceFigure& race, const char* kind, Json mark, const char* detail) {
    Json encoding{{"x", race_axis("x", race.x_title, {{"type", "log"}, {"nice", false}, {"padding", 12}},
                                  {{"labelExpr", "replace(format(datum.value, '~s'), 'G', 'B')"}})},
                  {"y", race_axis("y", race.y_title, {{"zero", false}}, level_title())},
                  {"color", role_colour(race.roles)}};
    if (detail != nullptr) encoding["detail"] = {{"field", detail}, {"type", "nominal"}};
    return {{"transform", Json::array({{{"filter", fmt::format("datum.kind === '{}'", kind)}}})},
            {"mark", std::move(mark)},
            {"encoding", std::move(encoding)}};
}

Json race_tips(const RaceFigure& race) {
    Json tips = Json::array();
    for (const char* name : {"network", "role", "rung", "seeds"})
        tips.push_back({{"field", name}, {"type", "nominal"}});
    tips.push_back({{"field", "x"}, {"type", "quantitative"}, {"title", race.x_unit}, {"format", ".3~s"}});
    tips.push_back({{"field", "y"}, {"type", "quantitative"}, {"title", race.y_unit}, {"format", ".5~g"}});
    return tips;
}

Json race_layers(const RaceFigure& race) {
    Json faint = styled_mark("line", "line"), joined = faint;
    faint.update({{"strokeWidth", 1}, {"opacity", 0.35}});
    joined.update({{"strokeWidth", 1.6}, {"opacity", 0.6}});
    Json symbols = race_layer(race, "end", styled_mark("point", "mean"), nullptr);
    symbols["encoding"]["shape"] = role_symbol(race.roles);
    Json ground = symbols;
    ground["mark"] = styled_mark("point", "ground");
    ground["encoding"].erase("color");
    symbols["encoding"]["tooltip"] = race_tips(race);
    return Json::array({race_layer(race, "course", faint, "course"), race_layer(race, "end", joined, "id"),
                        ground, symbols});
}

}  // namespace

Json race_vega(const RaceFigure& race) {
    return {{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
            {"description", race.title},
            {"title", {{"text", race.title}, {"subtitle", race.subtitle}}},
            {"width", 560},
            {"height", 340},
            {"data", {{"values", race_rows(race)}}},
            {"layer", race_layers(race)},
            {"config", vega_config(Theme::light)}};
}

}  // namespace plimsoll::report

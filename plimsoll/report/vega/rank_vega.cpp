#include "plimsoll/report/vega/rank_vega.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::report {
namespace {

// The logarithm of a rank; zero is drawn where one is.
double log10_rank_of(std::size_t rank) { return std::log10(std::max(1.0, static_cast<double>(rank))); }

Json measured_values(const std::vector<RankPoint>& points, const std::string& x) {
    Json values = Json::array();
    for (const auto& point : points) {
        values.push_back({{x, point.x},
                          {"log10_rank", log10_rank_of(point.rank)},
                          {"rank", point.rank},
                          {"reading", point.exact ? "exact" : "at least"},
                          {"series", point.series}});
    }
    return values;
}

// Bounds below one say nothing and are drawn at one.
Json bound_values(const std::vector<RankPoint>& points, const std::string& x) {
    Json values = Json::array();
    for (const auto& point : points) {
        for (const auto& bound : point.bounds) {
            values.push_back({{x, point.x},
                              {"log10_rank", std::max(0.0, bound.log10)},
                              {"bound", bound.id},
                              {"series", point.series}});
        }
    }
    return values;
}

Json axes(const std::string& x) {
    return {{"x",
             {{"field", x},
              {"type", "quantitative"},
              {"axis", {{"tickMinStep", 1}}},
              {"scale", {{"zero", false}}},
              {"title", x == "depth" ? "layers" : x}}},
            {"y", {{"field", "log10_rank"}, {"type", "quantitative"}, {"title", "separation rank, log10"}}},
            {"color", {{"field", "series"}, {"type", "nominal"}, {"title", Json()}}}};
}

Json tooltip(const std::vector<std::string>& fields) {
    Json list = Json::array();
    for (const auto& field : fields) {
        const bool words = field == "series" || field == "bound" || field == "reading";
        list.push_back({{"field", field}, {"type", words ? "nominal" : "quantitative"}});
    }
    return list;
}

Json measured_layer(const std::vector<RankPoint>& points, const std::string& x) {
    Json encoding = axes(x);
    encoding["shape"] = {{"field", "reading"}, {"type", "nominal"}, {"title", "measured"}};
    encoding["tooltip"] = tooltip({"series", x, "rank", "reading"});
    return {{"mark", {{"type", "point"}, {"filled", true}, {"size", 70}}},
            {"data", {{"values", measured_values(points, x)}}},
            {"encoding", encoding}};
}

Json bounds_layer(const std::vector<RankPoint>& points, const std::string& x) {
    Json encoding = axes(x);
    encoding["strokeDash"] = {{"field", "bound"}, {"type", "nominal"}, {"title", "bound"}};
    encoding["tooltip"] = tooltip({"bound", "series", x, "log10_rank"});
    return {{"mark", {{"type", "line"}, {"strokeWidth", 1.4}}},
            {"data", {{"values", bound_values(points, x)}}},
            {"encoding", encoding}};
}

}  // namespace

Json rank_vega(const RankFigure& figure) {
    const Json bounds = bounds_layer(figure.points, figure.x);
    const Json measured = measured_layer(figure.points, figure.x);
    return Json{{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
                {"title", figure.title},
                {"width", 640},
                {"height", 400},
                {"layer", Json::array({bounds, measured})}};
}

}  // namespace plimsoll::report

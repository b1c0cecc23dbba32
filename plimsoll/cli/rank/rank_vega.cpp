#include "plimsoll/cli/rank/rank_vega.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::cli {
namespace {

using rank::RankRow;
using rank::RankTable;

// The logarithm of a rank; zero is drawn where one is.
double log10_rank_of(std::size_t rank) { return std::log10(std::max(1.0, static_cast<double>(rank))); }

// The numbers by which a network may be placed.
std::map<std::string, std::int64_t> numbers_of(const arch::ArchSpec& spec,
                                               std::optional<std::int64_t> positions) {
    const Json json = arch::to_json(spec);
    std::map<std::string, std::int64_t> numbers;
    for (const auto& [key, value] : json.items()) {
        if (value.is_number_integer()) numbers[key] = value.get<std::int64_t>();
    }
    if (positions) numbers["positions"] = *positions;
    return numbers;
}

Result<std::int64_t> place_of(const arch::ArchSpec& spec, std::optional<std::int64_t> positions,
                              std::string_view x) {
    const auto numbers = numbers_of(spec, positions);
    const auto found = numbers.find(std::string(x));
    if (found != numbers.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [key, value] : numbers) names.push_back(key);
    return bad_input("vega-x",
                     fmt::format("{} has no number '{}'{}", arch::to_text(spec), x, suggestion(x, names)));
}

template <class Member>
bool varies(const RankTable& table, Member RankRow::* member) {
    return std::any_of(table.rows.begin(), table.rows.end(),
                       [&](const RankRow& row) { return row.*member != table.rows.front().*member; });
}

// What tells the rows of one x apart: "depth=2, width=4".
std::string series_of(const RankTable& table, const RankRow& row, std::string_view x) {
    std::vector<std::string> words;
    if (x != "depth" && varies(table, &RankRow::depth)) words.push_back(fmt::format("depth={}", row.depth));
    for (const auto& word : split(row.series, ',')) {
        const std::string name(trim(word));
        if (!name.empty() && !name.starts_with(fmt::format("{}=", x))) words.push_back(name);
    }
    const bool ranged = table.positions.find("..") != std::string::npos;
    if (x != "positions" && ranged && row.positions)
        words.push_back(fmt::format("positions={}", *row.positions));
    return words.empty() ? "rank" : join(words, ", ");
}

// A row with its place.
struct Point {
    const RankRow* row;
    std::int64_t x;
    std::string series;
};

Result<std::vector<Point>> points_of(const RankTable& table, std::string_view x) {
    std::vector<Point> points;
    for (const auto& row : table.rows) {
        PLIMSOLL_ASSIGN(spec, arch::parse_spec(row.spec));
        PLIMSOLL_ASSIGN(place, place_of(spec, row.positions, x));
        points.push_back({&row, place, series_of(table, row, x)});
    }
    return points;
}

Json measured_values(const std::vector<Point>& points, const std::string& x) {
    Json values = Json::array();
    for (const auto& point : points) {
        values.push_back({{x, point.x},
                          {"log10_rank", log10_rank_of(point.row->rank)},
                          {"rank", point.row->rank},
                          {"reading", point.row->exact ? "exact" : "at least"},
                          {"series", point.series}});
    }
    return values;
}

// Bounds below one say nothing and are drawn at one.
Json bound_values(const std::vector<Point>& points, const std::string& x) {
    Json values = Json::array();
    for (const auto& point : points) {
        for (const auto& bound : point.row->bounds) {
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

Json measured_layer(const std::vector<Point>& points, const std::string& x) {
    Json encoding = axes(x);
    encoding["shape"] = {{"field", "reading"}, {"type", "nominal"}, {"title", "measured"}};
    encoding["tooltip"] = tooltip({"series", x, "rank", "reading"});
    return {{"mark", {{"type", "point"}, {"filled", true}, {"size", 70}}},
            {"data", {{"values", measured_values(points, x)}}},
            {"encoding", encoding}};
}

Json bounds_layer(const std::vector<Point>& points, const std::string& x) {
    Json encoding = axes(x);
    encoding["strokeDash"] = {{"field", "bound"}, {"type", "nominal"}, {"title", "bound"}};
    encoding["tooltip"] = tooltip({"bound", "series", x, "log10_rank"});
    return {{"mark", {{"type", "line"}, {"strokeWidth", 1.4}}},
            {"data", {{"values", bound_values(points, x)}}},
            {"encoding", encoding}};
}

}  // namespace

Status check_axis(const rank::TableQuestion& question, std::string_view x) {
    PLIMSOLL_ASSIGN(grid, rank::parse_grid(question.grid));
    for (const auto& point : grid.points) {
        const bool placed = std::holds_alternative<arch::AttentionSpec>(point.spec);
        PLIMSOLL_ASSIGN(place,
                        place_of(point.spec, placed ? std::optional<std::int64_t>(1) : std::nullopt, x));
        static_cast<void>(place);
    }
    return {};
}

Result<Json> rank_vega(const RankTable& table, std::string_view x) {
    PLIMSOLL_ASSIGN(points, points_of(table, x));
    const std::string name(x);
    return Json{{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
                {"title", "Separation rank of " + table.grid +
                              (table.positions.empty() ? "" : " at " + table.positions + " positions")},
                {"width", 640},
                {"height", 400},
                {"layer", Json::array({bounds_layer(points, name), measured_layer(points, name)})}};
}

}  // namespace plimsoll::cli

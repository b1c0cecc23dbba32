#include "plimsoll/cli/rank/rank_figure.h"

#include <algorithm>
#include <map>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::cli {
namespace {

using rank::RankRow;
using rank::RankTable;

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

report::RankPoint point_of(const RankRow& row, std::int64_t x, const std::string& series) {
    report::RankPoint point{x, series, row.rank, row.exact, {}};
    for (const auto& bound : row.bounds) point.bounds.push_back({bound.id, bound.log10});
    return point;
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

Result<report::RankFigure> rank_figure(const RankTable& table, std::string_view x) {
    const std::string at = table.positions.empty() ? "" : " at " + table.positions + " positions";
    report::RankFigure figure{"Separation rank of " + table.grid + at, std::string(x), {}};
    for (const auto& row : table.rows) {
        PLIMSOLL_ASSIGN(spec, arch::parse_spec(row.spec));
        PLIMSOLL_ASSIGN(place, place_of(spec, row.positions, x));
        figure.points.push_back(point_of(row, place, series_of(table, row, x)));
    }
    return figure;
}

}  // namespace plimsoll::cli

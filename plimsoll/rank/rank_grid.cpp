#include "plimsoll/rank/rank_grid.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::rank {
namespace {

constexpr std::size_t max_points = 10'000;
constexpr std::int64_t max_factor = 1'000'000;

struct Key {
    std::string name;
    std::vector<std::string> values;
    bool ranged = false;
};

Result<Key> parse_key(std::string_view text) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) return Key{std::string(text), {""}};
    Key key{std::string(text.substr(0, equals)), {std::string(text.substr(equals + 1))}};
    const std::string value = key.values.front();
    const auto dots = value.find("..");
    if (dots == std::string::npos) return key;
    PLIMSOLL_ASSIGN(low, parse_integer(value.substr(0, dots), key.name));
    PLIMSOLL_ASSIGN(high, parse_integer(value.substr(dots + 2), key.name));
    if (high < low) return bad_input(key.name, fmt::format("the range {} is empty", value));
    if (high - low >= static_cast<std::int64_t>(max_points))
        return bad_input(key.name, fmt::format("the range {} has more than {} values", value, max_points));
    key.ranged = true;
    key.values.clear();
    for (std::int64_t n = low; n <= high; ++n) key.values.push_back(fmt::format("{}", n));
    return key;
}

Result<std::vector<Key>> parse_keys(std::string_view text) {
    std::vector<Key> keys;
    std::size_t count = 1;
    for (const auto& word : split(text, ',')) {
        PLIMSOLL_ASSIGN(key, parse_key(word));
        count *= key.values.size();
        if (count > max_points) return bad_input("table", fmt::format("has more than {} rows", max_points));
        keys.push_back(std::move(key));
    }
    return keys;
}

// The choice of a value for every key that has number `index`, the first key slowest.
std::vector<std::string> choice(const std::vector<Key>& keys, std::size_t index) {
    std::vector<std::string> values(keys.size());
    for (std::size_t k = keys.size(); k-- > 0;) {
        values[k] = keys[k].values[index % keys[k].values.size()];
        index /= keys[k].values.size();
    }
    return values;
}

struct Combination {
    std::string text, series;
};

Combination combine(std::string_view family, const std::vector<Key>& keys, std::size_t index) {
    const auto values = choice(keys, index);
    std::vector<std::string> words, ranged;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        words.push_back(values[k].empty() ? keys[k].name : keys[k].name + "=" + values[k]);
        if (keys[k].ranged && keys[k].name != "depth") ranged.push_back(words.back());
    }
    return {fmt::format("{}:{}", family, join(words, ",")), join(ranged, ", ")};
}

// The words of a grid, the family first.
std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    const auto colon = text.find(':');
    words.emplace_back(text.substr(0, colon));
    if (colon == std::string_view::npos) return words;
    for (const auto& word : split(text.substr(colon + 1), ',')) words.push_back(word);
    return words;
}

// What one of several grids has that not all have: "position_rank=1". Ranges are named by the points.
std::string own_words(const std::vector<std::string>& grids, const std::string& grid) {
    std::vector<std::string> own;
    for (const auto& word : words_of(grid)) {
        const bool shared = std::all_of(grids.begin(), grids.end(), [&](const std::string& other) {
            const auto words = words_of(other);
            return std::find(words.begin(), words.end(), word) != words.end();
        });
        if (!shared && word.find("..") == std::string::npos) own.push_back(word);
    }
    return join(own, ", ");
}

// Adds the points of one spec with ranges.
Status add_points(std::string_view text, const std::string& label, Grid& grid, std::optional<Error>& first) {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) {
        return bad_input("table",
                         fmt::format("must be a spec such as attention:depth=1..3,width=4, got '{}'", text));
    }
    PLIMSOLL_ASSIGN(keys, parse_keys(text.substr(colon + 1)));
    std::size_t count = 1;
    for (const auto& key : keys) count *= key.values.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Combination each = combine(text.substr(0, colon), keys, i);
        auto spec = arch::parse_spec(each.text);
        if (!spec.ok()) {
            if (!first) first = spec.error();
            grid.skipped.push_back({each.text, spec.error().text()});
            continue;
        }
        const std::string series =
            label.empty() || each.series.empty() ? label + each.series : label + ", " + each.series;
        grid.points.push_back({*spec, series, arch::to_json(*spec).value("depth", std::int64_t{1})});
    }
    return {};
}

}  // namespace

Result<Grid> parse_grid(std::string_view text) {
    std::vector<std::string> grids;
    for (const auto& part : split(text, ';')) grids.emplace_back(trim(part));
    Grid grid;
    std::optional<Error> first;
    for (const auto& each : grids) {
        PLIMSOLL_RETURN_IF_ERROR(add_points(each, own_words(grids, each), grid, first));
        if (grid.points.size() > max_points)
            return bad_input("table", fmt::format("has more than {} rows", max_points));
    }
    if (grid.points.empty()) return *first;
    return grid;
}

Result<std::int64_t> positions_at(std::string_view expression, std::int64_t width) {
    const auto d = expression.find('d');
    if (d == std::string_view::npos) return parse_integer(expression, "positions");
    std::int64_t factor = 1, shift = 0;
    if (d > 0) {
        PLIMSOLL_ASSIGN(number, parse_integer(expression.substr(0, d), "positions"));
        factor = number;
    }
    std::string_view rest = expression.substr(d + 1);
    if (rest.starts_with('+')) rest.remove_prefix(1);
    if (!rest.empty()) {
        PLIMSOLL_ASSIGN(number, parse_integer(rest, "positions"));
        shift = number;
    }
    if (factor < 1 || factor > max_factor || shift < -max_factor || shift > max_factor)
        return bad_input("positions",
                         fmt::format("must be a number or such as 2d or d+2, got '{}'", expression));
    return factor * width + shift;
}

Result<std::vector<std::int64_t>> positions_in(std::string_view expression, std::int64_t width) {
    const auto dots = expression.find("..");
    PLIMSOLL_ASSIGN(low, positions_at(expression.substr(0, dots), width));
    if (dots == std::string_view::npos) return std::vector<std::int64_t>{low};
    PLIMSOLL_ASSIGN(high, positions_at(expression.substr(dots + 2), width));
    if (high < low) return bad_input("positions", fmt::format("the range {} is empty", expression));
    if (high - low >= static_cast<std::int64_t>(max_points))
        return bad_input("positions",
                         fmt::format("the range {} has more than {} values", expression, max_points));
    std::vector<std::int64_t> numbers;
    for (std::int64_t n = low; n <= high; ++n) numbers.push_back(n);
    return numbers;
}

}  // namespace plimsoll::rank

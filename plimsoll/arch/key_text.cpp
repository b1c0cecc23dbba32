#include "plimsoll/arch/key_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::arch {

std::string Range::text() const { return fmt::format("{}{}..{}", none ? "none or " : "", least, most); }

Result<std::int64_t> read_integer(std::string_view text, const Range& range, std::string_view key) {
    if (range.none && (text == "none" || text == "0")) return std::int64_t{0};
    const auto value = parse_count(text, key);
    if (!value.ok() || *value < range.least || *value > range.most) {
        return bad_input(std::string(key), fmt::format("must be {}, got {}", range.text(), text));
    }
    return value;
}

Result<double> read_positive_real(std::string_view text, double most, std::string_view key) {
    const auto value = parse_real(text, key);
    if (!value.ok() || !(*value > 0) || *value > most) {
        return bad_input(std::string(key), fmt::format("must be above 0 and at most {}, got {}", most, text));
    }
    return value;
}

Result<bool> read_flag(std::string_view text, std::string_view key) {
    if (text == "on" || text == "true") return true;
    if (text == "off" || text == "false") return false;
    return bad_input(std::string(key), fmt::format("must be on or off, got {}", text));
}

Result<std::size_t> read_choice(std::string_view text, const std::vector<std::string>& names,
                                std::string_view key) {
    const auto found = std::find(names.begin(), names.end(), text);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    const auto near = near_misses(text, names);
    const std::string hint = near.empty() ? "" : fmt::format(" (did you mean {}?)", join(near, " or "));
    return bad_input(std::string(key), fmt::format("must be {}, got {}{}", join(names, "|"), text, hint));
}

Result<std::vector<std::int64_t>> read_list(std::string_view text, const Range& range, std::string_view key) {
    std::vector<std::int64_t> list;
    if (text == "none") return list;
    std::string joined(text);
    std::replace(joined.begin(), joined.end(), ';', '+');
    for (const auto& piece : split(joined, '+')) {
        PLIMSOLL_ASSIGN(value, read_integer(trim(piece), range, key));
        list.push_back(value);
    }
    return list;
}

Result<std::vector<std::int64_t>> read_layers(std::string_view text, std::int64_t depth,
                                              std::string_view key) {
    std::vector<std::int64_t> layers;
    if (text == "all") {
        layers.resize(static_cast<std::size_t>(depth));
        std::iota(layers.begin(), layers.end(), std::int64_t{1});
        return layers;
    }
    if (text.empty()) {
        return bad_input(std::string(key),
                         fmt::format("must be all, none or layers 1..{} such as 1+3", depth));
    }
    PLIMSOLL_ASSIGN(given, read_list(text, {1, depth}, key));
    std::sort(given.begin(), given.end());
    const auto repeat = std::adjacent_find(given.begin(), given.end());
    if (repeat != given.end()) {
        return bad_input(std::string(key), fmt::format("layers must differ, got {} twice", *repeat));
    }
    return given;
}

std::string layers_text(const std::vector<std::int64_t>& layers, std::int64_t depth) {
    const bool all = !layers.empty() && std::ssize(layers) == depth;
    return all ? "all" : list_text(layers);
}

std::string list_text(const std::vector<std::int64_t>& list) {
    return list.empty() ? "none" : fmt::format("{}", fmt::join(list, "+"));
}

}  // namespace plimsoll::arch

#include "plimsoll/run/config_values.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::run {
namespace {

// The value as the user wrote it, near enough for a message.
std::string shown(const Json& value) {
    if (value.is_number_float()) return real_text(value.get<double>());
    return value.is_string() ? value.get<std::string>()
                             : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Error must_be(const std::string& where, std::string_view allowed, const Json& value) {
    return bad_input(where, fmt::format("must be {}, got {}", allowed, shown(value)));
}

// 1000, 1e6, "64K".
Result<std::int64_t> whole_number(const Json& value, const std::string& where) {
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_string()) return parse_count(value.get<std::string>(), where);
    const double most = std::ldexp(1.0, 53);
    if (value.is_number_float() && std::abs(value.get<double>()) <= most &&
        std::trunc(value.get<double>()) == value.get<double>())
        return static_cast<std::int64_t>(value.get<double>());
    return bad_input(where, "is not a whole number");
}

}  // namespace

std::string WholeRange::text() const {
    const bool endless = most == std::numeric_limits<std::int64_t>::max();
    const std::string range = endless ? fmt::format("{} or more", least) : fmt::format("{}..{}", least, most);
    return zero.empty() ? range : fmt::format("{}, or \"{}\"", range, zero);
}

bool RealRange::fits(double value) const {
    return std::isfinite(value) && (open ? value > least : value >= least) &&
           (closed ? value <= below : value < below);
}

std::string RealRange::text() const {
    const std::string from = open ? fmt::format("more than {}", least) : fmt::format("{} or more", least);
    if (std::isinf(below)) return from;
    return fmt::format("{}, {} {}", from, closed ? "at most" : "less than", below);
}

Result<std::int64_t> read_whole(const Json& value, const WholeRange& range, const std::string& where) {
    if (!range.zero.empty() && (value == range.zero || value == 0)) return std::int64_t{0};
    const auto number = whole_number(value, where);
    if (!number.ok() || *number < range.least || *number > range.most)
        return must_be(where, range.text(), value);
    return number;
}

Result<double> read_real(const Json& value, const RealRange& range, const std::string& where,
                         std::string_view also) {
    if (!value.is_number() || !range.fits(value.get<double>()))
        return must_be(where, range.text() + std::string(also), value);
    return value.get<double>();
}

Result<bool> read_truth(const Json& value, const std::string& where) {
    if (!value.is_boolean()) return must_be(where, "true or false", value);
    return value.get<bool>();
}

Result<std::string> read_words(const Json& value, const std::string& where) {
    if (!value.is_string()) return must_be(where, "a text in quotes", value);
    return value.get<std::string>();
}

Result<std::size_t> read_name(const Json& value, const std::vector<std::string>& names,
                              const std::string& where) {
    PLIMSOLL_ASSIGN(word, read_words(value, where));
    const auto found = std::ranges::find(names, word);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    const auto near = near_misses(word, names);
    const std::string hint = near.empty() ? "" : suggestion(word, names);
    return bad_input(where, fmt::format("must be {}, got {}{}", join(names, "|"), word, hint));
}

std::string real_text(double value) {
    std::string text = fmt::format("{}", value);
    const bool digits_only = text.find_first_not_of("-0123456789") == std::string::npos;
    if (digits_only) text += ".0";
    return text;
}

}  // namespace plimsoll::run

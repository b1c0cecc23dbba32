#include "plimsoll/base/toml.h"

#include <sstream>

#include <toml++/toml.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"

namespace plimsoll {
namespace {

template <class T>
std::string printed(const T& value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

Json converted(const toml::node& node) {
    if (const auto* table = node.as_table()) {
        Json object = Json::object();
        for (const auto& [key, value] : *table) object[std::string(key.str())] = converted(value);
        return object;
    }
    if (const auto* array = node.as_array()) {
        Json list = Json::array();
        for (const auto& value : *array) list.push_back(converted(value));
        return list;
    }
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* whole = node.as_integer()) return whole->get();
    if (const auto* real = node.as_floating_point()) return real->get();
    if (const auto* truth = node.as_boolean()) return truth->get();
    if (const auto* date = node.as_date()) return printed(date->get());
    if (const auto* time = node.as_time()) return printed(time->get());
    return printed(node.as_date_time()->get());
}

}  // namespace

Result<Json> parse_toml(std::string_view text, std::string_view where) {
    try {
        return converted(toml::parse(text));
    } catch (const toml::parse_error& problem) {
        const auto& place = problem.source().begin;
        return bad_input(fmt::format("{}:{}:{}", where, place.line, place.column),
                         std::string(problem.description()));
    }
}

Result<Json> read_toml(const std::filesystem::path& path) {
    PLIMSOLL_ASSIGN(text, read_text(path));
    return parse_toml(text, path.string());
}

}  // namespace plimsoll

#include "plimsoll/data/readers/json_text.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/data/tables/records.h"

namespace plimsoll::data {
namespace {

std::vector<std::string> keys_of(const Json& object) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items()) keys.push_back(key);
    return keys;
}

std::string short_list(const std::vector<std::string>& keys) {
    constexpr std::size_t most = 8;
    std::vector<std::string> some;
    for (std::size_t i = 0; i < std::min(keys.size(), most); ++i) some.push_back(printable(keys[i], 40));
    if (keys.size() > most) some.emplace_back("...");
    return some.empty() ? "none" : join(some, ", ");
}

Status add_document(std::string_view line, const std::string& where, const std::string& field,
                    std::string& all) {
    PLIMSOLL_ASSIGN(object, parse_json(line, where));
    if (!object.is_object()) return bad_input(where, "is not a JSON object");
    const auto member = object.find(field);
    if (member == object.end())
        return bad_input(where,
                         fmt::format("has no field '{}' (--field names the one with the text; it has {})",
                                     printable(field), short_list(keys_of(object))));
    if (!member->is_string())
        return bad_input(where,
                         fmt::format("field '{}' is {}, no text", printable(field), member->type_name()));
    if (!all.empty()) all += "\n\n";
    all += member->get_ref<const std::string&>();
    return {};
}

}  // namespace

bool is_json_lines_name(const std::filesystem::path& name) {
    const std::string plain = unpacked_name(name);
    return plain.ends_with(".jsonl") || plain.ends_with(".ndjson");
}

std::optional<std::vector<std::string>> json_line_keys(std::string_view first, bool whole) {
    first = without_mark(first);
    while (first.starts_with('\n') || first.starts_with('\r')) first.remove_prefix(1);
    const auto end = first.find('\n');
    if (!first.starts_with('{') || (end == std::string_view::npos && !whole)) return std::nullopt;
    const auto value = parse_json(first.substr(0, end), "line 1");
    if (!value.ok() || !value->is_object()) return std::nullopt;
    return keys_of(*value);
}

Result<std::string> text_of_json_lines(std::string_view text, std::string_view name,
                                       const std::string& field) {
    text = without_mark(text);
    std::string all;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto end = text.find('\n');
        const std::string_view line = trim(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.empty()) continue;
        PLIMSOLL_RETURN_IF_ERROR(add_document(line, fmt::format("{}: line {}", name, number), field, all));
    }
    return all;
}

}  // namespace plimsoll::data

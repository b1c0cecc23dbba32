#include "plimsoll/server/http/message.h"

#include <algorithm>

namespace plimsoll::server {

std::string_view Request::header(std::string_view name) const {
    const auto found = headers.find(std::string(name));
    return found == headers.end() ? std::string_view() : found->second;
}

const std::string* Request::parameter(std::string_view name) const {
    const auto found = std::ranges::find(query, name, &Query::value_type::first);
    return found == query.end() ? nullptr : &found->second;
}

std::string indented(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string on_one_line(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Response refusal(int status, std::string_view where, std::string_view message) {
    const Json json{{"error", {{"status", status}, {"where", where}, {"message", message}}}};
    return {status, "application/json", on_one_line(json)};
}

}  // namespace plimsoll::server

#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "plimsoll/base/result.h"

// json.hpp defines the literal ""_json in every source that includes it, and with it a whole parser that
// nobody here calls; without this line each source takes 0.6 s longer to compile.
extern template nlohmann::json nlohmann::json::parse<const char*>(const char*, const char*,
                                                                  nlohmann::json::parser_callback_t, bool,
                                                                  bool);

namespace plimsoll {

// The one JSON type; keys keep their order so that printed objects read as they were written.
using Json = nlohmann::ordered_json;

// Parses JSON text; refuses duplicate keys, nesting deeper than 64, more than ten million values and trailing
// text. `where` names the source in errors. The time is that of a sort, whatever the text.
Result<Json> parse_json(std::string_view text, std::string_view where);

// Reads and parses a JSON file of at most 100,000,000 bytes.
Result<Json> read_json(const std::filesystem::path& path);

// An error naming the first key of `object` that is not among `allowed`, with near misses.
Status refuse_unknown_keys(const Json& object, std::initializer_list<std::string_view> allowed,
                           std::string_view where);

// Adds a member without looking whether its key is new: `object[key]` looks through all members each time.
void append_member(Json& object, std::string key, Json value);

// The first key, in alphabetical order, that `object` has more than once; null when there is none.
const std::string* repeated_key(const Json& object);

}  // namespace plimsoll

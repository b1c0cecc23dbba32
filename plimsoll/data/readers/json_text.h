#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

// The keys of the JSON object that the first line of a text is; nothing when it is none. `whole` when `first`
// is all of the text.
std::optional<std::vector<std::string>> json_line_keys(std::string_view first, bool whole);

// Whether a file of a folder or an archive is JSON lines by its name (.jsonl, .ndjson, packed or not).
bool is_json_lines_name(const std::filesystem::path& name);

// The texts in the field `field` of one JSON object a line, with an empty line between two. A line that is no
// such object, or whose field is missing or no text, is an error with its number.
Result<std::string> text_of_json_lines(std::string_view text, std::string_view name,
                                       const std::string& field);

}  // namespace plimsoll::data

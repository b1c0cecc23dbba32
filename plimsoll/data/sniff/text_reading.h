#pragma once

#include <string_view>

#include "plimsoll/data/sniff/reading.h"

namespace plimsoll::data {

// The first lines of a text, or all of it.
struct TextStart {
    std::string_view text;
    bool whole = false;
};

// As what a file of text is read, by its first lines: JSON lines, a table (sentence pairs among them), or
// text as it is. A file that is called a table and is none is an error, as is a field asked of what has none.
Result<Reading> reading_of_text(const std::filesystem::path& path, const TextStart& start,
                                const ReadOptions& read);

}  // namespace plimsoll::data

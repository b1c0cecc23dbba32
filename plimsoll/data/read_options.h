#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plimsoll/data/readers/token_file.h"

namespace plimsoll::data {

// How somebody wants a set to be read, where the set does not say it itself or should be read otherwise.
struct ReadOptions {
    TokenOptions tokens;
    std::string field;                 // with the text, of JSON lines (empty: "text") or a table
    std::vector<std::string> columns;  // of sentence pairs: first, second, label; empty: by their usual names
    std::string label;                 // the column of a table to predict; empty: guessed
    std::size_t resize = 0;            // images become squares with this side; 0: the size that most have
};

// The field that holds the text of JSON lines.
inline std::string text_field(const ReadOptions& options) {
    return options.field.empty() ? "text" : options.field;
}

}  // namespace plimsoll::data

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace plimsoll {

// Bytes of the well-formed UTF-8 character at the start of `text`; 0 when there is none.
std::size_t utf8_length(std::string_view text);

// True when all of `text` is well-formed UTF-8.
bool is_utf8(std::string_view text);

// Untrusted text for a message: control characters and stray bytes become \xNN, and what is longer than
// `most` bytes ends in "...".
std::string printable(std::string_view text, std::size_t most = 120);

}  // namespace plimsoll

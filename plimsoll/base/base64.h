#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

// The bytes as base64 with padding (RFC 4648).
std::string base64(std::string_view bytes);

// The bytes behind base64, or nothing when the text is empty or not base64 with its padding.
std::optional<std::string> bytes_of_base64(std::string_view text);

}  // namespace plimsoll

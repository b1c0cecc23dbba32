#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

// SHA-256 of the bytes of `text`, as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view text);

}  // namespace plimsoll

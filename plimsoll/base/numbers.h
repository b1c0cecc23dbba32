#pragma once

#include <concepts>

namespace plimsoll {

// A whole number as a double; exact up to 2^53.
constexpr double real(std::integral auto value) { return static_cast<double>(value); }

}  // namespace plimsoll

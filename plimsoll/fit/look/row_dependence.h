#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/fit/look/dependence.h"
#include "plimsoll/fit/look/vocabularies.h"

namespace plimsoll::fit {

// Dependence of a long row of bytes or of token ids: `of` names them.
Dependence dependence_of_row(std::span<const std::uint8_t> symbols, std::string of, std::uint64_t seed);
Dependence dependence_of_row(std::span<const std::uint32_t> ids, std::string of, std::uint64_t seed);

// At most `most` symbols of a long row, in stretches from all over it.
std::vector<std::uint8_t> sampled_bytes(const TextPieces& pieces, std::size_t most);

// Writes reach and sentences from the numbers; `window` says what was split: "a window of 16 bytes".
void describe(Dependence& dependence, std::string_view window);

}  // namespace plimsoll::fit

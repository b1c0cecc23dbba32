#pragma once

#include <cstdint>
#include <span>

#include "plimsoll/data/sniff/reading.h"

namespace plimsoll::data {

// As what a file of text is read, by its first bytes: JSON lines, a table (sentence pairs among them), or
// text as it is.
Result<Reading> reading_of_text(const std::filesystem::path& path, std::span<const std::uint8_t> first,
                                const ReadOptions& read);

}  // namespace plimsoll::data

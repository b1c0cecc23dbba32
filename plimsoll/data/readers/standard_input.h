#pragma once

#include <cstdint>
#include <filesystem>

#include "plimsoll/base/result.h"

namespace plimsoll::data {

// Copies what comes on descriptor `from` to `file`, which appears whole or not at all; more than `most_bytes`
// is refused.
Status keep_copy(int from, const std::filesystem::path& file,
                 std::uint64_t most_bytes = std::uint64_t{1} << 40);

}  // namespace plimsoll::data

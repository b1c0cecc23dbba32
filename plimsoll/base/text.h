#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"

namespace plimsoll {

// The pieces of `text` between the separators; "a,,b" has three, "" has none.
std::vector<std::string> split(std::string_view text, char separator);

// `text` without leading and trailing white space.
std::string_view trim(std::string_view text);

// `words` joined by `separator`.
std::string join(std::span<const std::string> words, std::string_view separator);

// The candidates that a slip of the fingers turns into `word`, nearest first, at most three; swapping two
// neighbouring letters is one slip.
std::vector<std::string> near_misses(std::string_view word, std::span<const std::string> candidates);

// " (did you mean depth?)" for near misses, otherwise the whole list: " (one of: a, b)".
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

// A decimal integer, negative ones with a minus sign; anything else is an error at `where`.
Result<std::int64_t> parse_integer(std::string_view text, std::string_view where);

// A count as people write it: 1024, 100M, 1.5B, 2e8, 64K, 1T (powers of ten); must come out whole and >= 0.
Result<std::int64_t> parse_count(std::string_view text, std::string_view where);

// Bytes as people write them: 65536, 512M, 1.5GiB, 2 GB. K, M, G, T and KiB, MiB, GiB, TiB are powers of
// 1024, as human_bytes() prints them; KB, MB, GB, TB are powers of ten. A part of a byte is dropped.
Result<std::uint64_t> parse_bytes(std::string_view text, std::string_view where);

// A finite real number; anything else is an error at `where`.
Result<double> parse_real(std::string_view text, std::string_view where);

// `text` as one word for a shell and for an #SBATCH line.
std::string shell_word(std::string_view text);

// A count to three significant figures: 950, 8.19 K, 11.3 B.
std::string human_count(double count);

// Bytes to three significant figures with binary units: 1.5 GiB.
std::string human_bytes(double bytes);

}  // namespace plimsoll

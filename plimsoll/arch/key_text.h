#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"

// Values of keys to and from text; shared by the key tables of all families.
namespace plimsoll::arch {

struct Range {
    std::int64_t least = 0;
    std::int64_t most = 0;
    bool none = false;  // "none" is allowed and stored as 0

    [[nodiscard]] std::string text() const;
};

// A count within `range` (64, 32K, none); the error at `key` states the range.
Result<std::int64_t> read_integer(std::string_view text, const Range& range, std::string_view key);

// A number in (0, most]; the error at `key` states the range.
Result<double> read_positive_real(std::string_view text, double most, std::string_view key);

// on or off, true or false.
Result<bool> read_flag(std::string_view text, std::string_view key);

// The index of `text` among `names`; the error suggests near misses.
Result<std::size_t> read_choice(std::string_view text, const std::vector<std::string>& names,
                                std::string_view key);

// Numbers separated by '+' (or ';', which shells want quoted), each within `range`; none is the empty list.
Result<std::vector<std::int64_t>> read_list(std::string_view text, const Range& range, std::string_view key);

// A set of layers 1..depth: all, none, or a list such as 1+3+5; sorted and without repeats in the result.
Result<std::vector<std::int64_t>> read_layers(std::string_view text, std::int64_t depth,
                                              std::string_view key);

// The inverse of read_layers.
std::string layers_text(const std::vector<std::int64_t>& layers, std::int64_t depth);

// Numbers joined by '+', "none" for an empty list.
std::string list_text(const std::vector<std::int64_t>& list);

}  // namespace plimsoll::arch

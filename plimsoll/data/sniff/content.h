#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "plimsoll/base/result.h"

// What a file is by its first bytes; names are not looked at.
namespace plimsoll::data {

// A format that is known and not read, and the command that makes one that is: {0} is the file as one word
// of a shell, {1} the same as a string of Python's, {2} the name without its ending, as such a string.
struct ForeignFormat {
    std::string_view name;  // "a Parquet file"
    std::string_view way;   // may be empty
};

enum class Content { empty, text, npy, zip, tar, image, mat, idx, foreign, binary };

struct Sniffed {
    Content content = Content::empty;
    const ForeignFormat* foreign = nullptr;  // for Content::foreign
    std::size_t binary_at = 0;               // for Content::binary: a byte that no text has
    bool certain = false;  // four bytes or more say so; what is shorter may be chance in a file of numbers
};

// How many bytes sniff() looks at.
constexpr std::size_t sniffed_bytes = std::size_t{1} << 16;

// How much of a text is looked at where its first lines are longer than that.
constexpr std::size_t most_first_lines = std::size_t{1} << 24;

// The start of a text with its first lines: `sniffed_bytes`, or `most_first_lines` where that
// holds fewer than three.
std::string_view first_lines(std::string_view text);

// What starts like this. Text has no NUL and almost no control characters; it may be in any encoding that
// holds ASCII as it is.
Sniffed sniff(std::span<const std::uint8_t> first_bytes);

// The first byte that no text has (NUL) in all of `bytes`; nothing when there is none.
std::optional<std::size_t> binary_byte(std::span<const std::uint8_t> bytes);

// The command that makes a file which is read, with the name of this one: {0} for a shell, {1} and without
// its ending {2} for Python.
std::string filled_way(std::string_view way, const std::string& file);

// "is a Parquet file, which is not read; ... makes a CSV of it": for foreign, binary and the like.
Error not_text(const std::string& file, const Sniffed& sniffed);

// The same as a few words, for a list: "a Parquet file", "binary".
std::string what_it_is(const Sniffed& sniffed);

}  // namespace plimsoll::data

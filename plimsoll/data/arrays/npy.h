#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

enum class ElementType { boolean, whole, unsigned_whole, real };

// The head of a NumPy array file (.npy): what its elements are, how many, and where they start.
struct NpyArray {
    std::string name;  // for messages
    ElementType type = ElementType::real;
    std::size_t element_bytes = 0;  // 1, 2, 4 or 8
    std::vector<std::uint64_t> shape;
    bool columns_first = false;        // Fortran's order
    HostArray<std::uint8_t> elements;  // as they lie in the file, little-endian
    [[nodiscard]] std::uint64_t count() const { return elements.size() / element_bytes; }
    // Of one row: all dimensions but the first.
    [[nodiscard]] std::uint64_t row() const {
        return shape.empty() || shape[0] == 0 ? 0 : count() / shape[0];
    }
};

// Reads the head of a .npy file and holds its shape against the bytes that are there. Python objects
// (pickles), records, texts and big-endian numbers are `unsupported`.
Result<NpyArray> parse_npy(const LoadedFile& file);

// "int32", "bool", "float64".
std::string type_name(const NpyArray& array);
// "3 x 4", "none" for a single number.
std::string shape_text(const NpyArray& array);

// Element `index` in the order of the file as a whole number; nothing for reals.
std::optional<std::int64_t> whole_at(const NpyArray& array, std::uint64_t index);
// The same as a real number, of any type.
double real_at(const NpyArray& array, std::uint64_t index);

// A row of unsigned or non-negative whole numbers as token ids; an id below 0, above 2^32 - 1, or at or above
// `vocabulary` where that is not 0, is refused with its place.
Result<Tokens> tokens_from(const NpyArray& array, std::uint64_t vocabulary);

}  // namespace plimsoll::data

#pragma once

#include <string>
#include <vector>

#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

// One numeric array of a MAT-file, seen from outside.
struct MatVariable {
    std::string name;
    std::vector<std::uint32_t> dimensions;
    std::uint64_t elements = 0;
    std::uint8_t array_class = 0;  // MATLAB's number: 6 double, 7 single, 8 int8 ... 15 uint64
    std::size_t byte = 0;          // of the file, where its element starts
};

inline constexpr std::uint8_t mat_class_uint8 = 9;

// Walks a version 5 MAT-file, compressed elements to their last byte, and holds every count against the bytes
// that are there; matio is given only what has passed. Arrays that are not plain numbers, version 7.3 (HDF5)
// and big-endian files are `unsupported`.
Result<std::vector<MatVariable>> check_mat5(const LoadedFile& file, std::uint64_t most_bytes);

// Whether these are the first bytes of a MAT-file of version 5 or 7.3.
bool looks_like_mat(std::span<const std::uint8_t> first_bytes);

}  // namespace plimsoll::data

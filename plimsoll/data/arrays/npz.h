#pragma once

#include "plimsoll/data/arrays/npy.h"

namespace plimsoll::data {

// The arrays of a .npz file (a zip of .npy files), each named as it was saved.
struct NpzArray {
    std::string name;  // "train_images"
    NpyArray array;
};
Result<std::vector<NpzArray>> read_npz(const LoadedFile& file, std::uint64_t most_bytes);

// Whether the zip file holds .npy files and nothing else.
Result<bool> is_npz(const LoadedFile& file, std::uint64_t most_bytes);

}  // namespace plimsoll::data

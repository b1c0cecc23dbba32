#pragma once

#include <filesystem>
#include <vector>

#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

// An IDX file of unsigned bytes: its dimensions, outermost first, and where the elements start.
struct IdxHeader {
    std::vector<std::uint32_t> dimensions;
    std::size_t first = 0;
};

// Reads the head of an IDX file and holds its dimensions against the bytes that are there. Element types
// other than unsigned bytes are `unsupported`.
Result<IdxHeader> parse_idx(const LoadedFile& file);

// One split from an images file (N, H, W) and the labels file (N) beside it, which may be absent; every label
// must be below `classes`.
struct IdxSplit {
    ImageShape shape;
    ImageSplit split;
};
Result<IdxSplit> make_idx_split(const LoadedFile& images, const LoadedFile* labels, std::size_t classes);

// Whether these are the first bytes of an IDX file.
bool looks_like_idx(std::span<const std::uint8_t> first_bytes);

// MNIST's layout: a folder with NAME-images-idx3-ubyte and NAME-labels-idx1-ubyte for each split, or one
// images file, its labels found beside it. The classes are those of `class_names`, or as many as the labels
// have.
Result<Images> load_idx(const std::filesystem::path& path, std::vector<std::string> class_names,
                        const LoadOptions& options);

}  // namespace plimsoll::data

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/data/dataset.h"

namespace plimsoll::fit {

// The pixels of one image, channel by channel.
using Pixels = std::span<const std::uint8_t>;

// How many dimensions an input can bring into a network.
struct InputRank {
    double rank = 0, effective_rank = 0;
    std::string source;  // how it is known, for people
};

// Of a vocabulary: the ids that occur, and exp of the entropy of the singular values of the one-hot matrix of
// the tokens. Those are the square roots of the counts.
InputRank vocabulary_rank(std::span<const std::uint64_t> counts);

// The sides of square patches that divide an image into 4 to `most_patches` of them, smallest first.
std::vector<std::int64_t> patch_sizes(const data::ImageShape& shape, std::int64_t most_patches);

// Of patches: numeric and effective rank (singular values, as docs/PROBE.md has them) of the centred matrix
// of patches drawn from `images`, at most 8 for each of its columns (4096 where that is more).
Result<InputRank> patch_rank(std::span<const Pixels> images, const data::ImageShape& shape,
                             std::int64_t patch, std::uint64_t seed);

}  // namespace plimsoll::fit

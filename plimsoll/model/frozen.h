#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "plimsoll/base/random.h"

// What is drawn once from a spec's own seed and never trained. The permutations are those of plimsoll/nets,
// stream for stream, so that a trained network and an exact rank use the same network.
namespace plimsoll::model {

// images[k] is the place to which entry k moves.
using Images = std::vector<std::int64_t>;

Images random_images(std::int64_t size, RandomStream& stream);
Images inverse_images(const Images& images);

// J_1 and J_2 of one matrix of the permuted-Kronecker family.
struct Shuffle {
    Images before, after;
};

// The random shuffle of matrix `number` (from 1) of a net: `in` numbers enter, `out` leave.
Shuffle random_shuffle(std::uint64_t seed, std::int64_t number, std::int64_t in, std::int64_t out);

// `count` distinct cells of 0..cells-1, sorted, every set equally likely; time and memory follow `count`.
std::vector<std::int64_t> random_cells(std::int64_t cells, std::int64_t count, RandomStream& stream);

}  // namespace plimsoll::model

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "plimsoll/base/progress.h"

namespace plimsoll::data {

// Record `index` of group `group` (a split, a file).
struct RecordId {
    std::size_t group = 0, index = 0;
    auto operator<=>(const RecordId&) const = default;
};

// Records with exactly the same bytes, first seen first; at least two.
using EqualRecords = std::vector<RecordId>;

// All sets of equal records, in the order of their first ones. `bytes_of` must give the same bytes each time
// it is asked. Found by hash and then compared byte by byte.
std::vector<EqualRecords> find_duplicates(
    const std::vector<std::size_t>& group_sizes,
    const std::function<std::span<const std::uint8_t>(RecordId)>& bytes_of,
    const ProgressCallback& progress = nullptr);

// How often a group repeats itself or another: records of `second` that equal a record of `first`; for first
// == second, records that equal an earlier one.
struct Overlap {
    std::size_t first = 0, second = 0, records = 0;
    RecordId example_first, example_second;
};

// The overlaps that are not empty, by groups.
std::vector<Overlap> overlaps(const std::vector<EqualRecords>& sets, std::size_t groups);

}  // namespace plimsoll::data

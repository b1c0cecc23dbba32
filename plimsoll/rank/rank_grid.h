#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/arch/spec.h"
#include "plimsoll/base/result.h"

namespace plimsoll::rank {

// One spec of a grid.
struct GridPoint {
    arch::ArchSpec spec;
    std::string series;  // the keys with a range, without depth: "width=4, heads=1"; may be empty
    std::int64_t depth = 1;
};

// A combination that is no architecture, and why.
struct SkippedPoint {
    std::string text;
    std::string reason;
};

struct Grid {
    std::vector<GridPoint> points;
    std::vector<SkippedPoint> skipped;
};

// Reads a spec whose values may be ranges, "attention:depth=1..3,width=1..6,heads=1": every combination, the
// first key slowest. Several such specs stand behind one another with semicolons; what tells them apart then
// begins their series. Combinations that are no architecture are skipped; when none is left, the first one's
// error.
Result<Grid> parse_grid(std::string_view text);

// The number of positions an expression gives at width d: "8", "2d", "d+2", "2d-1".
Result<std::int64_t> positions_at(std::string_view expression, std::int64_t width);

// The same for a range as well, "2..8" or "2..2d": every number in it.
Result<std::vector<std::int64_t>> positions_in(std::string_view expression, std::int64_t width);

}  // namespace plimsoll::rank

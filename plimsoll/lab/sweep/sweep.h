#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/lab/sweep/condition.h"
#include "plimsoll/lab/sweep/counting.h"
#include "plimsoll/lab/sweep/setting.h"

// A sweep as its file says it; docs/SWEEPS.md has every key.
namespace plimsoll::lab {

// Keys that move together: point i gives keys[k] the value points[i][k].
struct Axis {
    std::vector<std::string> keys;  // in alphabetical order
    std::vector<std::vector<Json>> points;
    std::vector<std::string> places;  // of each key
};

// Widths that meet a number of parameters.
struct Budget {
    std::vector<std::int64_t> parameters;
    double within = 0.02;          // as a share of each
    std::string adjust;            // the field that is moved: "model.width"
    std::string multiple_of_key;   // it is a multiple of this field ("model.heads"); empty: of
    std::int64_t multiple_of = 1;  //   this number
    const CountingWay* count = nullptr;
    bool at_most = false;           // never above the budget, not the nearest
    bool skip_unreachable = false;  // what no width meets is left out instead of being an error
    std::string place;
};

struct Sweep {
    std::string file;
    std::vector<Setting> base;
    std::vector<Axis> axes;  // by first key, in alphabetical order
    std::optional<Budget> budget;
    std::vector<std::int64_t> seeds;  // empty: the base's own
    std::vector<Condition> keep;
    std::vector<std::string> families;  // of its specs
};

// Reads a sweep.toml: every key known, no setting given twice. A base that is a path is looked for from the
// folder of the file.
Result<Sweep> read_sweep(const std::filesystem::path& path);
// The same from text; `file` names it in errors, `folder` is where a base is looked for.
Result<Sweep> parse_sweep(std::string_view text, const std::string& file,
                          const std::filesystem::path& folder);

}  // namespace plimsoll::lab

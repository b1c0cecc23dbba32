#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

// What jobs a sweep keeps: "model.depth <= 12", "optimizer.lr < 1e-3 or model.depth == 2".
namespace plimsoll::lab {

enum class Comparator { less, at_most, equal, not_equal, at_least, more };

// A key whose value is looked up, or a value.
struct Operand {
    std::string key;  // empty: `value` holds
    Json value;
};

struct Comparison {
    Operand left, right;
    Comparator comparator = Comparator::equal;
};

// Holds when one of its comparisons does.
struct Condition {
    std::vector<Comparison> any;
    std::string text;
    std::string place;
};

// Reads comparisons with < <= == != >= >, joined by `or`; a side is one of `keys`, otherwise a number (64K,
// 1e-3), on, off or a word.
Result<Condition> read_condition(std::string_view text, std::span<const std::string> keys,
                                 const std::string& place);

// The keys that a condition looks at.
std::vector<std::string> keys_of(const Condition& condition);

// Gives the value of a key, null when it is not known.
using Lookup = std::function<Json(const std::string& key)>;

// Whether the condition holds; nothing when that hangs on a value that is not known. Putting words in order
// is an error.
Result<std::optional<bool>> holds(const Condition& condition, const Lookup& lookup);

}  // namespace plimsoll::lab

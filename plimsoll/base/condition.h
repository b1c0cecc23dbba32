#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

// Which things are kept, by their values: "model.depth <= 12", "family == mixer or depth > 64K".
namespace plimsoll {

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

// What a condition may name, and how its errors speak.
struct ConditionWords {
    std::span<const std::string> keys;
    std::string noun = "key";                                  // "unknown key 'deph'"
    std::string example = "depth <= 12";                       // of a comparison
    std::function<bool(const std::string&)> must_be_key = {};  // words that cannot be values; may be empty
    std::function<std::string(const std::string&)> hint =
        {};  // what a wrong key meant; suggestion() if empty
};

// Reads comparisons with < <= == != >= >, joined by `or`; a side is one of the keys, otherwise a number (64K,
// 1e-3), on, off or a word. What is in quotes is a word whatever it looks like.
Result<Condition> read_condition(std::string_view text, const ConditionWords& words,
                                 const std::string& place);

// "on" is true, "64K" is 64000; anything else is itself.
Json plain_word(const Json& value);

// The keys that a condition looks at.
std::vector<std::string> keys_of(const Condition& condition);

// Gives the value of a key, null when it is not known.
using Lookup = std::function<Json(const std::string& key)>;

// Whether the condition holds; nothing when that depends on an unknown value. Putting words in order
// is an error.
Result<std::optional<bool>> holds(const Condition& condition, const Lookup& lookup);

}  // namespace plimsoll

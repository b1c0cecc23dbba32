#pragma once

#include <optional>
#include <string_view>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/formats/shape/model_shape.h"

// The parameters of whole models, by the class that the library builds from a config.json.
namespace plimsoll::formats {

// data/class_counts.jsonl: one line per configuration class, its parameters as expressions in its keys
// (docs/COUNTING.md, "The table of classes"). Derived by tools/derive_class_counts.py.
std::string_view class_counts_jsonl();

// The parameters of the model that the library makes of this file; nothing where the table has no line for
// its class, an error with the key first where a value lies outside of what the line was derived for.
std::optional<Result<ClassCount>> count_by_class(const Json& config);

// How many classes the table has.
std::size_t counted_classes();

}  // namespace plimsoll::formats

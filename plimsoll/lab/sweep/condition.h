#pragma once

#include <span>
#include <string>
#include <string_view>

#include "plimsoll/base/condition.h"

// What jobs a sweep keeps: "model.depth <= 12", "optimizer.lr < 1e-3 or model.depth == 2".
namespace plimsoll::lab {

// Reads a condition over the keys of a sweep; a word with the section of run.toml before its dot must be one.
Result<Condition> read_condition(std::string_view text, std::span<const std::string> keys,
                                 const std::string& place);

}  // namespace plimsoll::lab

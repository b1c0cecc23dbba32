#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/run/run_config.h"

// Which runs can train as one program (a stack): they share network, data and batch, and differ in seeds,
// rates and how long and how often.
namespace plimsoll::run {

// The keys in which the runs of a stack may differ, as in run.toml; all others are the same for all of them.
const std::vector<std::string>& keys_free_in_a_stack();

// The resolved config without the free keys: runs with the same text can stack.
std::string stack_key(const RunConfig& config);

// The first key in which two runs differ and that a stack shares, in a sentence; nothing when they can stack.
std::optional<std::string> why_not_stacked(const RunConfig& one, const RunConfig& other);

}  // namespace plimsoll::run

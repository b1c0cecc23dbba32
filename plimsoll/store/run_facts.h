#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

// What the files of a run say, as keys and values: every key of its config, its state, last numbers and
// sessions.
namespace plimsoll::store {

// The value of one key of one run; monostate where the run has no such key.
using Cell = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

inline bool is_empty(const Cell& cell) { return cell.index() == 0; }
// As a person reads it: true, 12, 0.001, text; empty for no value.
std::string cell_text(const Cell& cell);
Json cell_json(const Cell& cell);
// The number in it, truth as 1 and 0 not counted.
bool is_number(const Cell& cell);
double number_of(const Cell& cell);

using Facts = std::vector<std::pair<std::string, Cell>>;

// More facts that follow from a config, such as the parameters of its spec; may be empty.
using DerivedFacts = std::function<Facts(const Json& config)>;

// The facts of the run in `folder`: the keys of config.toml ("optimizer.lr"), `phase`, `step`, `reason` of
// the state, `loss` (of the last row of metrics that has one), the last `validation.*`, `family`, `started`,
// `ended`, `seconds`, `sessions`, `host`, `device`, what `derive` adds, `note` (half a line at the end of
// metrics.jsonl) and `problem` (what could not be read). Reads the end of metrics.jsonl only, as far as
// needed.
Facts read_run_facts(const std::filesystem::path& folder, const DerivedFacts& derive = {});

// The keys of nested tables with dots: {"a": {"b": 1}} is a.b = 1.
Facts flattened(const Json& table);

}  // namespace plimsoll::store

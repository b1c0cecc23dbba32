#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

// What the map is drawn from.
namespace plimsoll::server {

// Every model of the zoo, judged: what the map shows of it, and its whole audit as `audit --json` has it.
struct JudgedZoo {
    Json models = Json::array();
    std::map<std::string, std::string> audits;  // by zoo_argument(), as they are printed
};
// Nothing more once `stop` is set; all of it takes a second or two.
JudgedZoo judge_zoo(const std::atomic<bool>& stop);

// The models, the load line with the constants it is made of, and the laws of others.
Json map_json(const JudgedZoo& zoo);

// Widths and depths of the chart's frame.
inline constexpr double narrowest = 128, widest = 49'152, shallowest = 3, deepest = 160;

// log10 of capacity, log_3 of the repaired bound for N positions, over a logarithmic grid of the frame, and
// the knee T over the widths. An error for a context that is no power of two from 2 to 2^24: there would be
// one field for each.
Result<Json> field_json(std::int64_t context);

}  // namespace plimsoll::server

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace plimsoll::fit {

// Somebody else's rule for the depth at a budget.
struct RivalRule {
    std::string_view name;          // "nanochat"
    std::string_view says;          // "width = 64 depth"
    std::string_view source;        // where it is from
    double (*width)(double depth);  // the width that the rule gives a depth; null: any
    std::int64_t depth;             // the depth it insists on; 0: follows from width and budget
};

// The rules that every race has, in the order of the report.
std::span<const RivalRule> rival_rules();

// The real depth at which 12 L d^2 + `input_rows` d is the budget (at most 1000), or the depth the rule
// insists on.
double rival_depth(const RivalRule& rule, std::int64_t budget, double input_rows);

}  // namespace plimsoll::fit

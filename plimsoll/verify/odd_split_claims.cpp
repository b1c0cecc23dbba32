// An odd number of positions: two splits are balanced, and either can have the larger rank.
#include <algorithm>
#include <iterator>

#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/verify/attention_cases.h"
#include "plimsoll/verify/claim_tables.h"

namespace plimsoll::verify {
namespace {

using theory::Integer;

const std::vector<AttentionCase> odd_networks = {
    {.depth = 1, .width = 4, .positions = 3},
    {.depth = 2, .width = 2, .positions = 3},
    {.depth = 2, .width = 2, .positions = 5},
    {.depth = 2, .width = 3, .positions = 3},
    {.depth = 2, .width = 3, .heads = 3, .positions = 5},
    {.depth = 2, .width = 3, .positions = 5},
    {.depth = 2, .width = 4, .positions = 3},
    {.depth = 2, .width = 4, .heads = 2, .positions = 5},
    {.depth = 2, .width = 4, .positions = 5},
    {.depth = 3, .width = 2, .positions = 3},
    {.depth = 3, .width = 2, .heads = 2, .positions = 5},
    {.depth = 2, .width = 5, .positions = 3},
    {.depth = 2, .width = 5, .positions = 7},
    {.depth = 3, .width = 2, .positions = 5},
};

const std::vector<AttentionCase> larger_odd_networks = {
    {.depth = 2, .width = 8, .positions = 3},
    {.depth = 3, .width = 3, .heads = 3, .positions = 3},
    {.depth = 3, .width = 3, .positions = 3},
    {.depth = 3, .width = 3, .positions = 5},
};

// The smallest network known whose larger balanced split has the output on the smaller side.
const AttentionCase smaller_side_wins{.depth = 3, .width = 4, .positions = 5};

// Every split of every network, the output in A.
std::vector<AttentionCase> odd_cases(Effort effort) {
    auto networks = odd_networks;
    if (effort >= Effort::normal)
        std::copy(larger_odd_networks.begin(), larger_odd_networks.end(), std::back_inserter(networks));
    std::vector<AttentionCase> cases;
    for (const AttentionCase& network : networks) {
        for (std::int64_t side = 1; side < network.positions; ++side) {
            cases.push_back(network);
            cases.back().side_a = side;
        }
    }
    if (effort == Effort::deep) {
        for (const std::int64_t side : {2, 3}) {
            cases.push_back(smaller_side_wins);
            cases.back().side_a = side;
        }
    }
    return cases;
}

std::optional<Integer> own_split(const AttentionCase& c) {
    return theory::split_bound(c.depth, c.width, c.left_count(), c.right_count());
}

std::optional<Integer> larger_balanced_split(const AttentionCase& c) {
    return theory::balanced_bound(c.depth, c.width, c.positions);
}

std::function<std::vector<Trial>(Effort)> on_odd_splits(AttentionBound bound) {
    return [=](Effort effort) { return attention_trials(odd_cases(effort), at_most, bound); };
}

}  // namespace

std::vector<Claim> odd_split_claims() {
    return {
        {.id = "CAP-bound_int-ODD",
         .statement = "For odd N the rank of every split is at most the bound of that split.",
         .trials = on_odd_splits(own_split)},
        {.id = "CAP-bound_int-BOTH",
         .statement =
             "For odd N no split has more than the larger bound of the two balanced ones (proved for "
             "these two, a conjecture for the others).",
         .trials = on_odd_splits(larger_balanced_split)},
    };
}

}  // namespace plimsoll::verify

// Theorem 4 of Levine et al. 2020, its proof, what refutes it and what repairs it (ERRATA E1).
#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/theory/papers/levine_bounds.h"
#include "plimsoll/verify/attention_cases.h"
#include "plimsoll/verify/claim_tables.h"
#include "plimsoll/verify/monomial_trials.h"

namespace plimsoll::verify {
namespace {

using theory::Integer;

// What T4's decomposition would leave: functions of side B indexed by coordinate powers alone.
std::optional<Integer> grouping(const AttentionCase& c) { return theory::grouping_implied(c.depth, c.width); }

// The same with side A counted as well: sum_j min(((d, 2j)), d ((d, 2 (C - j)))).
std::optional<Integer> grouping_both_sides(const AttentionCase& c) {
    const Integer gram = theory::gram_count(c.depth), d = c.width;
    Integer total = 0;
    for (Integer j = 0; j <= gram; j += 1) {
        total +=
            std::min(theory::multiset(d, Integer(2) * j), d * theory::multiset(d, Integer(2) * (gram - j)));
    }
    return total;
}

std::optional<Integer> t4(const AttentionCase& c) { return theory::t4_upper(c.depth, c.width).floor(); }

std::optional<Integer> fix_t4(const AttentionCase& c) {
    return theory::fix_t4(c.depth, c.width, c.left_count(), c.right_count());
}

std::optional<Integer> sharper(const AttentionCase& c) {
    return theory::split_bound(c.depth, c.width, c.left_count(), c.right_count());
}

std::function<std::vector<Trial>(Effort)> below(AttentionBound bound) {
    return [=](Effort effort) { return attention_trials(attention_cases(effort), at_most, bound); };
}

std::vector<Trial> levine_t4_trials(Effort effort) {
    auto trials = below(t4)(effort);
    for (const std::size_t net : {narrow_net, wide_net}) {
        trials.push_back(monomial_trial(net, [](std::int64_t depth, std::int64_t width, int bits) {
            return theory::t4_upper_log3(depth, width, bits);
        }));
    }
    return trials;
}

std::vector<Trial> t2_trials(Effort effort) {
    auto trials = below([](const AttentionCase& c) -> std::optional<Integer> {
        if (theory::depth_regime(c.depth, c.width) != "inefficient") return std::nullopt;
        return pow(theory::Ball(3, 200), theory::t2_upper_log3(c.depth, c.width, 200)).unique_floor();
    })(effort);
    for (const std::size_t net : {six_wide_net, nine_deep_net}) {
        trials.push_back(monomial_trial(net, [](std::int64_t depth, std::int64_t width, int bits) {
            return theory::t2_upper_log3(depth, width, bits);
        }));
    }
    return trials;
}

}  // namespace

std::vector<Claim> theorem4_claims() {
    const std::string powers = "E1: grouping by coordinate powers takes G_11 G_22 for G_12^2";
    return {
        {.id = "ERR-GROUPING",
         .statement = "The grouping step of theorem 4: the rank is at most sum_j ((d, 2j)).",
         .expected = ClaimVerdict::fails,
         .because = powers,
         .trials = below(grouping)},
        {.id = "ERR-GROUPING-SIDES",
         .statement =
             "The same step with both sides counted: at most sum_j min(((d, 2j)), d ((d, 2C - 2j))).",
         .expected = ClaimVerdict::fails,
         .because = powers,
         .trials = below(grouping_both_sides)},
        {.id = "LEVINE-T4",
         .statement = "The rank is at most d (C + 1) ((d, 2C)) (2C/d + 1)^d, for every network.",
         .expected = ClaimVerdict::fails,
         .because = "E1: true of every random network measured, false of deep monomial networks",
         .trials = levine_t4_trials},
        {.id = "LEVINE-T2-UPPER",
         .statement = "For 3^L > d, log_3 of the rank is at most the upper half of theorem 2.",
         .expected = ClaimVerdict::fails,
         .because = "E1: it follows from theorem 4",
         .trials = t2_trials},
        {.id = "ERR-COUNTEREXAMPLE",
         .statement = "A monomial network has rank prod (k_st + 1) for N >= 2d.",
         .trials = product_trials},
        {.id = "FIX-T4",
         .statement = "The rank is at most sum_k min(h(d, |B|, k), d h(d, |A|, C - k)).",
         .trials = below(fix_t4)},
        {.id = "CAP-bound_int",
         .statement = "The same with vector covariants on side A, sharper for N < 2d.",
         .trials = below(sharper)},
    };
}

}  // namespace plimsoll::verify

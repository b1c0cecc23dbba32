// Proved lower bounds on the separation rank (docs/bounds/att-*.md) on trial.
#include <algorithm>
#include <iterator>

#include "plimsoll/base/format.h"
#include "plimsoll/nets/attainment/split_heads.h"
#include "plimsoll/theory/attainment/gram_powers.h"
#include "plimsoll/theory/attainment/norm_powers.h"
#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/verify/attainment_trials.h"
#include "plimsoll/verify/attention_cases.h"
#include "plimsoll/verify/claim_tables.h"

namespace plimsoll::verify {
namespace {

using theory::Integer;

std::int64_t smaller_side(const AttentionCase& c) { return std::min(c.left_count(), c.right_count()); }

// Coordinates that the heads reach together.
std::int64_t reached_width(const AttentionCase& c) { return std::min(c.width, c.heads * c.head_size()); }

// D1 with one constant for all heads, which includes D1 with one in each.
std::optional<Integer> by_norm_powers(const AttentionCase& c) {
    if (c.depth < 2 || smaller_side(c) < 1 || reached_width(c) < 2) return std::nullopt;
    return theory::d1_attained(c.depth, Integer(reached_width(c) - 1));
}

std::optional<Integer> by_gram_powers(const AttentionCase& c) {
    if (c.depth < 2 || smaller_side(c) < 2) return std::nullopt;
    const std::int64_t width = reached_width(c);
    const auto best = theory::best_collapse({.depth = c.depth,
                                             .width = width,
                                             .side = smaller_side(c),
                                             .heads = c.heads,
                                             .head_dim = std::min(c.head_size(), width)});
    return theory::d2_attained(c.depth, best.first_layers, best.rank);
}

std::optional<Integer> one_head_powers(const AttentionCase& c) {
    return c.heads == 1 ? by_gram_powers(c) : std::nullopt;
}

std::optional<Integer> several_heads_powers(const AttentionCase& c) {
    return c.heads > 1 ? by_gram_powers(c) : std::nullopt;
}

// Random networks first, then the constructions.
using Trials = std::function<std::vector<Trial>(Effort)>;
Trials both(const Trials& networks, const Trials& constructions) {
    return [=](Effort effort) {
        auto trials = networks(effort);
        auto more = constructions(effort);
        std::move(more.begin(), more.end(), std::back_inserter(trials));
        return trials;
    };
}

// A residual around every layer: at least what is proved without, at most the repaired bound for N >= 2d.
Trial residual_ends(const AttentionCase& c, const Integer& lower) {
    RankCase with = c.question();
    with.spec += ",residual=true";
    return {c.name(), with.command(), [=](Measurements& measurements) -> Result<Observation> {
                PLIMSOLL_ASSIGN(measured, measurements.rank(with));
                const Integer upper = theory::split_bound(c.depth, c.width, c.left_count(), c.right_count());
                if (smaller_side(c) < c.width || as_integer(measured.rank) <= upper)
                    return at_least(lower, measured);
                return at_most(upper, measured);
            }};
}

std::vector<Trial> residual_end_trials(Effort effort) {
    const Integer most = effort == Effort::quick ? 120 : effort == Effort::normal ? 1000 : 4000;
    std::vector<Trial> trials;
    for (const AttentionCase& c : attention_cases(effort)) {
        const auto by_norm = by_norm_powers(c), by_gram = by_gram_powers(c);
        if (!by_norm || theory::split_bound(c.depth, c.width, c.left_count(), c.right_count()) > most)
            continue;
        trials.push_back(residual_ends(c, std::max(*by_norm, by_gram.value_or(Integer(0)))));
    }
    return trials;
}

// ATT-E: at least the rank of one head of width d', N and the sides the same.
Trial imitation_trial(const AttentionCase& c, std::int64_t inner) {
    AttentionCase single = c;
    single.heads = 1;
    single.width = inner;
    single.head_dim = 0;
    return {c.name() + fmt::format(", d'={}", inner), c.question().command(),
            [=](Measurements& measurements) -> Result<Observation> {
                PLIMSOLL_ASSIGN(one, measurements.rank(single.question()));
                PLIMSOLL_ASSIGN(several, measurements.rank(c.question()));
                return at_least(as_integer(one.rank), several);
            }};
}

std::vector<Trial> imitation_trials(Effort effort) {
    std::vector<Trial> trials;
    for (const AttentionCase& c : attention_cases(effort)) {
        const std::int64_t inner = nets::split_width({c.width, c.heads, c.head_size()});
        if (c.heads >= 2 && c.depth >= 2) trials.push_back(imitation_trial(c, inner));
    }
    return trials;
}

}  // namespace

std::vector<Claim> attainment_claims() {
    return {
        {.id = "ATT-D1",
         .statement = "For L >= 2 and a split into two sides the rank is at least ((n+2, lambda)) - "
                      "((n+2, lambda-2)), n = min(d, H d_a) - 1, lambda = 3^(L-2).",
         .trials = both(on_attention(at_least, by_norm_powers), d1_network_trials)},
        {.id = "ATT-D2",
         .statement =
             "One head, d_a = d, two positions or more on each side: for every L0 < L the rank is at "
             "least ((rho, Lambda)), rho = kd - k(k-1)/2, k = min(d, q, 3^L0 - 1); for d_a < d the "
             "same with d_a for d.",
         .trials = both(on_attention(at_least, one_head_powers), d2_network_trials)},
        {.id = "ATT-D2-H",
         .statement =
             "Several heads, H d_a >= d, two positions or more on each side: the rank is at least "
             "((rho, Lambda)) with the rho of theorems (b) and (c); for H d_a < d the same with H d_a for d.",
         .trials = both(on_attention(at_least, several_heads_powers), d2_heads_network_trials)},
        {.id = "ATT-D3",
         .statement = "One head, d >= 6, N >= 2d: the rank is at least the sum of the dimensions of the "
                      "modules V_[lambda(q)] of GL_n, |q| = Lambda.",
         .trials = d3_network_trials},
        {.id = "ATT-R",
         .statement =
             "With a residual around every layer the lower bounds stand, and for N >= 2d the repaired "
             "upper bound stands.",
         .trials = residual_end_trials},
        {.id = "ATT-E",
         .statement = "H heads have at least the rank of one head of width d' = min(d, d_a floor(sqrt H)).",
         .trials = both(imitation_trials, split_network_trials)},
    };
}

}  // namespace plimsoll::verify

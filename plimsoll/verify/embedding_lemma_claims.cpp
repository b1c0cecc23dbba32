// Theorem 2 of Wies et al. 2021 and the constructions of lemmas 5 and 7 behind it.
#include "plimsoll/base/format.h"
#include "plimsoll/theory/papers/levine_bounds.h"
#include "plimsoll/theory/papers/wies_bounds.h"
#include "plimsoll/verify/claim_tables.h"
#include "plimsoll/verify/embedding_cases.h"
#include "plimsoll/verify/log_observation.h"
#include "plimsoll/verify/patch_trials.h"
#include "plimsoll/verify/token_count_trials.h"

namespace plimsoll::verify {
namespace {

using theory::Integer;

// WIES-T2 in a finite form, n = (r - H)/2: ((n + lambda - 1)/(n - 1))^(n - 1), where the heads have room for
// n columns.
std::optional<Integer> closed_lower(const EmbeddingCase& c) {
    const std::int64_t n = (c.rank - c.heads) / 2, room = c.heads * ((c.width / c.heads - 1) / 2);
    const bool covered = !c.tokens && c.depth >= 2 && (c.rank - c.heads) % 2 == 0 && n >= 2 && n <= room;
    if (!covered || theory::depth_regime(c.depth, c.width) != "inefficient") return std::nullopt;
    const auto log_3 = theory::wies_lemma4_true_log3(n, theory::power_of_three(c.depth - 2), 200);
    const auto value = pow(theory::Ball(3, 200), log_3);
    if (const auto whole = value.unique_integer()) return whole;
    return *value.unique_floor() + 1;
}

// The order: from L = 4 + 2 log_3(n - 1) on, log_3 of the lower bound is above L (r - H)/8.
Trial order_trial(std::int64_t columns, std::int64_t depth) {
    const std::int64_t rank = 2 * columns + 1;
    return {fmt::format("r={} H=1 L={}", rank, depth),
            fmt::format("plimsoll bounds WIES-LOWER-CONV-LOG3 L={} r={} H=1", depth, rank),
            [=](Measurements&) -> Result<Observation> {
                return exceeds(
                    [=](int bits) { return theory::wies_lower_conv_log3(depth, rank, 1, bits); },
                    [=](int bits) { return theory::Ball(theory::Rational(depth * columns, 4), bits); });
            }};
}

std::vector<Trial> theorem2_trials(Effort effort) {
    auto trials = embedding_trials(embedding_cases(effort), at_least, closed_lower);
    std::int64_t depth = 4;
    for (std::int64_t columns = 2; columns < 5000; columns *= 3) {
        while (theory::power_of_three(depth - 4) < Integer(columns - 1) * (columns - 1)) ++depth;
        for (const std::int64_t times : {1, 2, 8}) trials.push_back(order_trial(columns, times * depth));
    }
    return trials;
}

}  // namespace

std::vector<Claim> embedding_lemma_claims() {
    return {
        {.id = "WIES-T2",
         .statement =
             "For patches, n = (r - H)/2 >= 2 columns that fit into the heads: the rank is at least "
             "((n + lambda - 1)/(n - 1))^(n - 1), from L = 4 + 2 log_3(n - 1) on above 3^(L (r - H)/8).",
         .trials = theorem2_trials},
        {.id = "WIES-LOWER-CONV-LEMMA5",
         .statement = "Lemma 5 with the used coordinates read one after the other: patches of V >= r numbers "
                      "give the templates of LEVINE-L4.",
         .trials = patch_trials(false)},
        {.id = "WIES-LOWER-CONV-PRINTED",
         .statement = "Lemma 5 as printed, coordinate alpha from number alpha of the patch, gives them too.",
         .expected = ClaimVerdict::fails,
         .because = "E38: alpha reaches V only, and the ones of later heads vanish when V < d",
         .trials = patch_trials(true)},
        {.id = "WIES-L7-N",
         .statement = "Lemma 7, repaired: N = E (r - 1 - H) tokens spell rows of A for a rank of ((d, "
                      "3^(L-2))), d = (r - 1 - H)/2.",
         .trials = token_count_trials},
        {.id = "WIES-L7-N-PRINTED",
         .statement = "Lemma 7 as printed: position t in segment floor(t/E) spells the rows of A.",
         .expected = ClaimVerdict::fails,
         .because = "E25: the last token of a segment counts to the next one",
         .trials = printed_token_count_trials},
    };
}

}  // namespace plimsoll::verify

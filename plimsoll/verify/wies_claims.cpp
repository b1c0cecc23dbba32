// Claims of Wies et al. 2021 about embeddings, and our repair.
#include "plimsoll/base/format.h"
#include "plimsoll/nets/sphere_rows.h"
#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/theory/papers/wies_bounds.h"
#include "plimsoll/verify/claim_tables.h"
#include "plimsoll/verify/embedding_cases.h"
#include "plimsoll/verify/field_rank.h"
#include "plimsoll/verify/monomial_trials.h"
#include "plimsoll/verify/multiset_trials.h"

namespace plimsoll::verify {
namespace {

using theory::Integer;

std::optional<Integer> wies_t3(const EmbeddingCase& c) {
    return theory::wies_t3(c.depth, c.rank, c.positional_rank());
}

std::vector<Trial> t3_trials(Effort effort) {
    auto trials = embedding_trials(embedding_cases(effort), at_most, wies_t3);
    trials.push_back(monomial_trial(nine_deep_net, [](std::int64_t depth, std::int64_t width, int bits) {
        return theory::wies_t3_log3(depth, width, 0, bits);
    }));
    return trials;
}

// The same with the tighter last line of its proof.
std::vector<Trial> t3_tight_trials(Effort effort) {
    const auto tight = [](const EmbeddingCase& c) -> std::optional<Integer> {
        if (c.position_rank == 0) return std::nullopt;
        return theory::wies_t3_tight(c.depth, c.rank, c.positional_rank()).floor();
    };
    auto trials = embedding_trials(embedding_cases(effort), at_most, tight);
    trials.push_back(monomial_trial(nine_deep_net, [](std::int64_t depth, std::int64_t width, int bits) {
        return theory::wies_t3_tight_log3(depth, width, 0, bits);
    }));
    return trials;
}

// The closed form of theorem 1, for which the paper takes r_e = 1.
std::vector<Trial> t1_trials(Effort effort) {
    return embedding_trials(
        embedding_cases(effort), at_most, [](const EmbeddingCase& c) -> std::optional<Integer> {
            if (c.position_rank != 1) return std::nullopt;
            const auto log_3 = theory::wies_t1_closed_log3(c.depth, c.rank, c.position_rank, 200);
            return pow(theory::Ball(3, 200), log_3).unique_floor();
        });
}

// Theorem 4 is theorem 3 for patches: any numbers in place of tokens.
std::vector<Trial> wies_t4_trials(Effort effort) {
    const auto patches = [](const EmbeddingCase& c) { return c.tokens ? std::nullopt : wies_t3(c); };
    auto trials = embedding_trials(embedding_cases(effort), at_most, patches);
    trials.push_back(monomial_trial(nine_deep_net, [](std::int64_t depth, std::int64_t width, int bits) {
        return theory::wies_t3_log3(depth, width, 0, bits);
    }));
    return trials;
}

// Without positions the embedded inputs span r directions: FIX-T4 of width r, and with tokens ((V, C)).
std::optional<Integer> fix(const EmbeddingCase& c) {
    if (c.position_rank != 0) return std::nullopt;
    const Integer by_rank = theory::fix_t4(c.depth, c.rank, c.positions / 2, c.positions / 2);
    return c.tokens ? std::min(by_rank, theory::multiset(c.vocab, theory::gram_count(c.depth))) : by_rank;
}

std::optional<Integer> lower_conv(const EmbeddingCase& c) {
    if (c.tokens || c.depth < 2 || c.rank <= c.heads || (c.rank - c.heads) % 2 != 0) return std::nullopt;
    return theory::wies_lower_conv(c.depth, c.rank, c.heads);
}

// WIES-L6: tokens reach the bound of patches once V >= 2 (((r - H)/2, 3^(L-2))) + 1.
std::optional<Integer> lower_tokens(const EmbeddingCase& c) {
    EmbeddingCase patches = c;
    patches.tokens = false;
    const auto bound = lower_conv(patches);
    if (!c.tokens || !bound || Integer(c.vocab) < Integer(2) * *bound + 1) return std::nullopt;
    return bound;
}

std::optional<Integer> lower_vocab(const EmbeddingCase& c) {
    if (!c.tokens || c.depth < 2 || c.vocab < c.rank || c.rank < c.heads + 3) return std::nullopt;
    return theory::wies_lower_vocab(c.depth, c.rank, c.heads);
}

// A bound for inputs that are long enough: a short one that stays below it says nothing.
Observation at_least_when_long(const Integer& bound, const MeasuredRank& rank) {
    Observation seen = at_least(bound, rank);
    if (seen.outcome == Outcome::fails) seen.outcome = Outcome::undecided;
    return seen;
}

// WIES-L8: integer rows of one norm, one per direction 1 <= u_i <= side.
Result<Observation> equal_norm_observation(std::int64_t cols, std::uint64_t power) {
    const nets::PrimeField field;
    const Integer promised = theory::multiset(cols, static_cast<std::int64_t>(power));
    const nets::IntegerRing small(6);
    RandomStream stream(31, "verify/directions");
    const auto count = static_cast<std::size_t>(promised.to_int64());
    auto directions = nets::random_matrix(small, count, static_cast<std::size_t>(cols - 1), stream);
    for (auto& u : directions.data()) u = u < 0 ? -u : u;
    for (std::size_t i = 0; i < count; ++i) directions(i, 0) += 1;
    const auto rows = nets::equal_norm_rows(directions);
    const auto residues = nets::map(rows, [&](const nets::Integer& a) { return field.reduce(a); });
    const auto gram = product(field, residues, transpose(residues));
    return equal_to(promised, {field_rank(field, nets::hadamard_power(field, gram, power)), true});
}

std::vector<Trial> lemma8_trials(Effort) {
    std::vector<Trial> trials;
    for (const auto& [cols, power] : {std::pair{2, 1}, {3, 1}, {2, 2}, {3, 2}, {2, 3}, {3, 3}}) {
        trials.push_back({fmt::format("d={} lambda={}", cols, power), "", [cols, power](Measurements&) {
                              return equal_norm_observation(cols, static_cast<std::uint64_t>(power));
                          }});
    }
    return trials;
}

}  // namespace

std::vector<Claim> wies_claims() {
    return {
        {.id = "WIES-T3",
         .statement = "The rank is at most ((r + r_e, 3^L)) ((4, 3^L)) (3^L + 1)^(r + r_e).",
         .expected = ClaimVerdict::fails,
         .because = "E21: the grouping step of theorem 4 again; true of every random network measured",
         .trials = t3_trials},
        {.id = "WIES-T3-TIGHT",
         .statement = "The same with (3^L/r + 1)^r (3^L/r_e + 1)^r_e, the last line of the proof.",
         .expected = ClaimVerdict::fails,
         .because = "E21: the grouping step of theorem 4 again; true of every random network measured",
         .trials = t3_tight_trials},
        {.id = "WIES-T1-CLOSED",
         .statement = "The closed form of theorem 1 bounds random networks with r_e = 1 (deep monomial "
                      "networks: see WIES-T3).",
         .trials = t1_trials},
        {.id = "WIES-T4",
         .statement = "The bound of WIES-T3 for patches, any numbers in place of tokens.",
         .expected = ClaimVerdict::fails,
         .because = "E21: the grouping step of theorem 4 again; true of every random network measured",
         .trials = wies_t4_trials},
        {.id = "FIX-WIES",
         .statement = "Without positions the rank is at most FIX-T4 of width r, and ((V, C)) over V tokens.",
         .trials = on_embeddings(at_most, fix)},
        {.id = "WIES-LOWER-CONV",
         .statement = "For r - H even and L >= 2 the rank is at least (((r - H)/2, 3^(L-2))).",
         .trials = on_embeddings(at_least, lower_conv)},
        {.id = "WIES-L6",
         .statement = "Over V >= 2 (((r - H)/2, 3^(L-2))) + 1 tokens the bound of WIES-LOWER-CONV holds too.",
         .trials = on_embeddings(at_least, lower_tokens)},
        {.id = "WIES-LOWER-VOCAB",
         .statement = "For V >= r, L >= 2 and N large the rank is at least ((floor((r-1-H)/2), 3^(L-2))).",
         .trials = on_embeddings(at_least_when_long, lower_vocab)},
        {.id = "WIES-L4",
         .statement = "As printed: ((n, k)) >= (2e (n + k)/n)^n.",
         .expected = ClaimVerdict::fails,
         .because = "E20: printed the wrong way round",
         .trials = multiset_grid(MultisetSide::at_least, theory::wies_lemma4_printed_log3, 2, 1)},
        {.id = "WIES-L4-TRUE",
         .statement = "As meant: ((n, k)) >= ((n + k - 1)/(n - 1))^(n - 1).",
         .trials = multiset_grid(MultisetSide::at_least, theory::wies_lemma4_true_log3, 2, 1)},
        {.id = "WIES-L8",
         .statement =
             "Integer rows of equal norm exist whose Gram matrix has Hadamard powers of rank ((d, lambda)).",
         .trials = lemma8_trials},
    };
}

}  // namespace plimsoll::verify

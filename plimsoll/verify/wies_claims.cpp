// Claims of Wies et al. 2021 about embeddings, and our repair.
#include "plimsoll/base/format.h"
#include "plimsoll/nets/sphere_rows.h"
#include "plimsoll/theory/capacity.h"
#include "plimsoll/theory/multiset_log.h"
#include "plimsoll/theory/wies_bounds.h"
#include "plimsoll/verify/claim_tables.h"
#include "plimsoll/verify/embedding_cases.h"
#include "plimsoll/verify/field_rank.h"
#include "plimsoll/verify/monomial_trials.h"

namespace plimsoll::verify {
namespace {

using theory::Integer;

std::optional<Integer> t3(const EmbeddingCase& c) {
    return theory::wies_t3(c.depth, c.rank, c.positional_rank());
}

std::vector<Trial> t3_trials(Effort effort) {
    auto trials = embedding_trials(embedding_cases(effort), at_most, t3);
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

std::function<std::vector<Trial>(Effort)> on_embeddings(Comparison compare, EmbeddingBound bound) {
    return [=](Effort effort) { return embedding_trials(embedding_cases(effort), compare, bound); };
}

// ((n, k)) against a lower bound given by its log_3.
using LemmaBound = theory::Ball (*)(const Integer& n, const Integer& k, int bits);

Observation multiset_at_least(std::int64_t n, std::int64_t k, LemmaBound bound) {
    const Integer value = theory::multiset(n, k);
    const auto log_value = [&](int bits) { return theory::log3(theory::Ball(value, bits)); };
    const auto log_bound = [&](int bits) { return bound(n, k, bits); };
    Observation seen{fmt::format("at least 3^{}", log_bound(64).text(6)),
                     fmt::format("{} = 3^{}", value.text(), log_value(64).text(6))};
    // Equality at k = 0 and n = 2 leaves the balls together: then neither side is larger.
    const auto smaller = theory::decide_less(log_value, log_bound, 512);
    seen.outcome = smaller == theory::Verdict::proved ? Outcome::fails : Outcome::holds;
    return seen;
}

std::function<std::vector<Trial>(Effort)> lemma4_grid(LemmaBound bound) {
    return [=](Effort effort) {
        std::vector<Trial> trials;
        const std::int64_t largest = effort == Effort::quick ? 8 : 40;
        for (std::int64_t n = 2; n <= largest; ++n) {
            for (std::int64_t k = 1; k <= largest; k += n < 4 ? 1 : 3) {
                trials.push_back(
                    {fmt::format("n={} k={}", n, k), fmt::format("plimsoll bounds MULTISET n={} k={}", n, k),
                     [=](Measurements&) -> Result<Observation> { return multiset_at_least(n, k, bound); }});
            }
        }
        return trials;
    };
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
        trials.push_back(
            {fmt::format("d={} lambda={}", cols, power), "", [cols = cols, power = power](Measurements&) {
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
         .expected = Verdict::fails,
         .because = "E21: the grouping step of theorem 4 again; true of every random network measured",
         .trials = t3_trials},
        {.id = "FIX-WIES",
         .statement = "Without positions the rank is at most FIX-T4 of width r, and ((V, C)) over V tokens.",
         .trials = on_embeddings(at_most, fix)},
        {.id = "WIES-LOWER-CONV",
         .statement = "For r - H even and L >= 2 the rank is at least (((r - H)/2, 3^(L-2))).",
         .trials = on_embeddings(at_least, lower_conv)},
        {.id = "WIES-L4",
         .statement = "As printed: ((n, k)) >= (2e (n + k)/n)^n.",
         .expected = Verdict::fails,
         .because = "E20: printed the wrong way round",
         .trials = lemma4_grid(theory::wies_lemma4_printed_log3)},
        {.id = "WIES-L4-TRUE",
         .statement = "As meant: ((n, k)) >= ((n + k - 1)/(n - 1))^(n - 1).",
         .trials = lemma4_grid(theory::wies_lemma4_true_log3)},
        {.id = "WIES-L8",
         .statement =
             "Integer rows of equal norm exist whose Gram matrix has Hadamard powers of rank ((d, lambda)).",
         .trials = lemma8_trials},
    };
}

}  // namespace plimsoll::verify

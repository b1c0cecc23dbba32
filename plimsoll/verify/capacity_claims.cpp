// Our own bounds and conjectures (docs/bounds/capacity-*.md) on trial.
#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/nets/attention.h"
#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/verify/claim_tables.h"
#include "plimsoll/verify/embedding_cases.h"
#include "plimsoll/verify/field_rank.h"
#include "plimsoll/verify/mixer_cases.h"

namespace plimsoll::verify {
namespace {

using nets::PrimeField;
using theory::Integer;

Integer split_bound(const AttentionCase& c) {
    return theory::split_bound(c.depth, c.width, c.left_count(), c.right_count());
}

std::optional<Integer> heads(const AttentionCase& c) {
    return theory::heads_bound(c.depth, {c.width, c.heads, c.head_size()});
}

// Whether the heads leave the first layer every entry of G.
bool heads_lose_nothing(const AttentionCase& c) {
    const theory::HeadShape shape{c.width, c.heads, c.head_size()};
    return shape.first_layer_forms() == theory::multiset(c.width, 2);
}

// Sides so long that the number of positions costs nothing: 2d, or 4 at two layers.
bool is_long(const AttentionCase& c) {
    return c.positions >= 2 * c.width || (c.depth == 2 && c.positions >= 4);
}

// What a balanced network with enough heads is conjectured to reach, with the defect of L = 3, H = 1. Heads
// and short sides together cost more than either: see smaller_of_both.
std::optional<Integer> sharp(const AttentionCase& c) {
    if (!c.balanced() || c.heads * c.head_size() < c.width) return std::nullopt;
    if (c.depth > 1 && !heads_lose_nothing(c) && !is_long(c)) return std::nullopt;
    const Integer bound = std::min(split_bound(c), *heads(c));
    const bool defect = c.depth == 3 && c.heads == 1 && c.positions >= 4;
    return defect ? bound - theory::defect_rank_one(c.width) : bound;
}

// The smaller of both bounds, where the heads lose something and the sides are short.
std::vector<Trial> smaller_of_both(Effort effort) {
    std::vector<AttentionCase> cases = {{.depth = 2, .width = 2, .heads = 2, .positions = 2},
                                        {.depth = 2, .width = 3, .heads = 3, .positions = 2},
                                        {.depth = 2, .width = 4, .heads = 2, .positions = 2},
                                        {.depth = 2, .width = 4, .heads = 4, .positions = 2},
                                        {.depth = 3, .width = 2, .heads = 2, .positions = 2},
                                        {.depth = 2, .width = 6, .heads = 6, .positions = 2},
                                        {.depth = 2, .width = 8, .heads = 8, .positions = 2},
                                        {.depth = 3, .width = 3, .heads = 3, .positions = 2}};
    if (effort >= Effort::normal) cases.push_back({.depth = 2, .width = 10, .heads = 2, .positions = 2});
    if (effort >= Effort::normal) cases.push_back({.depth = 3, .width = 3, .heads = 3, .positions = 4});
    return attention_trials(cases, equal_to, [](const AttentionCase& c) {
        return std::optional(std::min(split_bound(c), *heads(c)));
    });
}

// The heads theorem written out at L = 2: 1 + D + ((m1, 2)) + m1 (D - m1) + min(d D, ((m1, 3)) + d m1) + d.
std::optional<Integer> heads_at_two_layers(const AttentionCase& c) {
    if (c.depth != 2 || c.width < 2 || !c.balanced() || c.positions < 4) return std::nullopt;
    if (c.heads * c.head_size() < c.width) return std::nullopt;
    const Integer d = c.width, entries = theory::multiset(d, 2);
    const Integer seen = theory::HeadShape{c.width, c.heads, c.head_size()}.first_layer_forms();
    const Integer squares = theory::multiset(seen, 2) + seen * (entries - seen);
    return Integer(1) + entries + squares + std::min(d * entries, theory::multiset(seen, 3) + d * seen) + d;
}

// Continuous tokens with a side of at least r + e positions; without positions the width-r bound.
std::optional<Integer> positions(const EmbeddingCase& c) {
    if (c.tokens || c.heads != 1 || c.positions / 2 < c.rank + c.outside()) return std::nullopt;
    return theory::positional_bound(c.depth, c.rank, c.outside());
}

// V tokens without positions: S(V - 1; r), never more than width r allows nor than ((V, N/2)) strings do.
std::optional<Integer> tokens(const EmbeddingCase& c) {
    if (!c.tokens || c.position_rank != 0) return std::nullopt;
    const Integer by_rank = theory::split_bound(c.depth, c.rank, c.positions / 2, c.positions / 2);
    const Integer strings = theory::multiset(c.vocab, c.positions / 2);
    const Integer entries = std::min(Integer(c.vocab - 1), Integer(c.rank * (c.rank + 1) / 2));
    const Integer by_counts = theory::staircase_bound(theory::gram_count(c.depth), entries, c.rank);
    return std::min({by_rank, strings, c.vocab <= c.rank * (c.rank + 1) / 2 ? by_counts : by_rank});
}

// V tokens with positions, of which each side sees rank r_e: per token a count and a sum of positions, and
// the sums over all tokens are constant. With two or more common directions entries depend on one another:
// left out.
std::optional<Trial> placed_tokens_trial(const EmbeddingCase& c) {
    const std::int64_t half = c.positions / 2, seen = std::min(c.positional_rank(), half);
    const std::int64_t shared = std::max<std::int64_t>(0, c.rank + seen - c.width);
    if (!c.tokens || c.position_rank == 0 || shared > 1) return std::nullopt;
    const Integer entries =
        std::min(theory::token_entries(c.vocab, c.rank, seen, shared), Integer((c.vocab - 1) * (1 + seen)));
    const Integer counted =
        theory::staircase_bound(theory::gram_count(c.depth), entries, std::min(c.rank + 1, c.vocab));
    const Integer strings = pow(Integer(c.vocab), static_cast<std::uint64_t>(half));
    return counted <= strings ? rank_trial(c.name(), c.question(), equal_to, counted)
                              : rank_trial(c.name(), c.question(), at_most, strings);
}

std::vector<Trial> placed_tokens_trials(Effort effort) {
    std::vector<Trial> trials;
    for (const EmbeddingCase& c : embedding_cases(effort)) {
        if (auto trial = placed_tokens_trial(c)) trials.push_back(std::move(*trial));
    }
    return trials;
}

std::optional<Integer> mixer_rows(const MixerCase& c) {
    if (c.partition != "rows" || c.residual) return std::nullopt;
    return theory::mixer_rows_bound(c.rows, c.cols, c.depth);
}

std::optional<Integer> mixer_columns(const MixerCase& c) {
    if (c.partition != "columns" || c.residual) return std::nullopt;
    return theory::mixer_cols_bound(c.rows, c.cols, c.depth);
}

// A network whose layers have different heads: (H, d_a) per layer.
struct MixedHeads {
    std::int64_t width;
    std::vector<std::pair<std::int64_t, std::int64_t>> layers;

    [[nodiscard]] std::string name() const {
        std::string text = fmt::format("d={} N=4, layers", width);
        for (const auto& [h, d_a] : layers) text += fmt::format(" ({},{})", h, d_a);
        return text;
    }
};

nets::AttentionWeights<std::uint64_t> draw_mixed(const PrimeField& field, const MixedHeads& net) {
    nets::AttentionWeights<std::uint64_t> weights;
    std::uint64_t seed = 61;
    for (const auto& [h, d_a] : net.layers) {
        const arch::AttentionSpec one{
            .depth = 1, .width = net.width, .heads = h, .head_dim = d_a, .embedding_rank = net.width};
        weights.layers.push_back(nets::draw_attention(field, one, 4, seed++).layers.front());
    }
    return weights;
}

// The rank is that of the network whose layers all have the first layer's heads.
Result<Observation> first_layer_decides(const MixedHeads& net, Measurements& measurements) {
    const PrimeField field;
    const auto d = static_cast<std::size_t>(net.width);
    const auto& [h, d_a] = net.layers.front();
    const AttentionCase uniform{.depth = static_cast<std::int64_t>(net.layers.size()),
                                .width = net.width,
                                .heads = h,
                                .positions = 4,
                                .head_dim = d_a};
    PLIMSOLL_ASSIGN(expected, measurements.rank(uniform.question()));
    const nets::Attention<PrimeField> attention(field, draw_mixed(field, net));
    return equal_to(Integer(static_cast<std::int64_t>(expected.rank)),
                    sampled_rank({.rows = d,
                                  .cols = 4,
                                  .left = left_columns(d, 4, 2),
                                  .value = [&](const FieldMatrix& x) { return attention.forward(x)(0, 0); }},
                                 expected.rank + 8, 62));
}

std::vector<Trial> first_layer_trials(Effort effort) {
    std::vector<MixedHeads> nets = {{2, {{1, 2}, {2, 1}}}, {2, {{2, 1}, {1, 2}}}, {3, {{3, 1}, {1, 3}}},
                                    {4, {{4, 1}, {1, 4}}}, {4, {{1, 4}, {4, 1}}}, {4, {{2, 2}, {1, 4}}}};
    if (effort >= Effort::normal) {
        nets.push_back({2, {{1, 2}, {2, 1}, {2, 1}}});
        nets.push_back({2, {{2, 1}, {1, 2}, {1, 2}}});
        nets.push_back({6, {{1, 6}, {6, 1}}});
        nets.push_back({6, {{6, 1}, {1, 6}}});
    }
    if (effort == Effort::deep) {
        nets.push_back({8, {{1, 8}, {8, 1}}});
        nets.push_back({3, {{1, 3}, {3, 1}, {3, 1}}});
        nets.push_back({3, {{3, 1}, {1, 3}, {1, 3}}});
    }
    std::vector<Trial> trials;
    for (const auto& net : nets)
        trials.push_back({net.name(), "", [=](Measurements& m) { return first_layer_decides(net, m); }});
    return trials;
}

// With a residual around every layer, against the same network without.
Trial residual_trial(const AttentionCase& c) {
    RankCase with = c.question();
    with.spec += ",residual=true";
    return {c.name(), with.command(), [=](Measurements& measurements) -> Result<Observation> {
                PLIMSOLL_ASSIGN(plain, measurements.rank(c.question()));
                PLIMSOLL_ASSIGN(residual, measurements.rank(with));
                if (!plain.exact) return Observation{"the plain rank", "not exact", Outcome::undecided};
                return equal_to(Integer(static_cast<std::int64_t>(plain.rank)), residual);
            }};
}

std::vector<Trial> residual_trials(Effort effort) {
    const Integer most = effort == Effort::quick ? 120 : effort == Effort::normal ? 1000 : 4000;
    std::vector<Trial> trials;
    for (const AttentionCase& c : attention_cases(effort)) {
        if (c.heads * c.head_size() >= c.width && split_bound(c) <= most) trials.push_back(residual_trial(c));
    }
    return trials;
}

// CAPACITY section 4 with |B| = 1: degree 14 in one position of B has ((d, 14)) functions less the defect.
std::vector<Trial> defect_trials(Effort effort) {
    std::vector<Trial> trials;
    const std::int64_t widest = effort == Effort::deep ? 6 : effort == Effort::normal ? 5 : 4;
    for (std::int64_t d = 2; d <= widest; ++d) {
        AttentionCase c{.depth = 3, .width = d, .positions = d + 1, .side_a = d};
        RankCase question = c.question();
        question.piece = "j=7";
        const Integer bound = theory::multiset(d, 14) - theory::defect_rank_one(d);
        trials.push_back(rank_trial(c.name() + ", piece j=7", question, equal_to, bound));
    }
    return trials;
}

}  // namespace

std::vector<Claim> capacity_claims() {
    return {
        {.id = "CAP-bound_int-SHARP",
         .statement =
             "Conjecture: balanced networks with H d_a >= d reach the repaired bounds, less the defect at "
             "L=3, H=1, for N >= 2d (N >= 4 at L=2) and, where m1 = D, for every N.",
         .trials = on_attention(equal_to, sharp)},
        {.id = "CAP-bound_int-SHORT",
         .statement =
             "Short inputs with heads that see less than G (m1 < D) reach the smaller of the repaired bound "
             "and the heads bound.",
         .expected = ClaimVerdict::fails,
         .because = "both bounds hold, but heads and short sides together cost more; a joint bound is open",
         .trials = smaller_of_both},
        {.id = "CAP-heads_bound_int",
         .statement = "The rank is at most the bound of the heads theorem.",
         .trials = on_attention(at_most, heads)},
        {.id = "CAP-heads-L2",
         .statement =
             "Conjecture: at L=2, N >= 4 and H d_a >= d the rank is 1 + D + ((m1, 2)) + m1 (D - m1) + "
             "min(d D, ((m1, 3)) + d m1) + d, which bounds it.",
         .trials = on_attention(equal_to, heads_at_two_layers)},
        {.id = "CAP-residual",
         .statement = "Conjecture: for H d_a >= d a residual around every layer leaves the rank as it is.",
         .trials = residual_trials},
        {.id = "CAP-heads-FIRST",
         .statement = "Conjecture: only the heads of the first layer matter.",
         .trials = first_layer_trials},
        {.id = "CAP-defect_L3_j7_rank1_points",
         .statement = "L=3, H=1, one position on side B: piece j=7 has at most ((d, 14)) less the forms on "
                      "its rank-one points; conjecture: it has as many.",
         .trials = defect_trials},
        {.id = "CAP-pos_bound_int",
         .statement =
             "Embedding rank r with e positional directions: at most S(r(r+1)/2 + r e; r + 1), width "
             "r for e = 0; conjecture: attained.",
         .trials = on_embeddings(equal_to, positions)},
        {.id = "CAP-S_bound_int",
         .statement = "V tokens without positions: at most S(V - 1; r) for V <= r(r+1)/2, else width r; "
                      "conjecture: attained.",
         .trials = on_embeddings(equal_to, tokens)},
        {.id = "CAP-S_bound_int-POSITIONS",
         .statement =
             "V tokens with positions of rank r_e: at most S(n; min(r + 1, V)), n = min(r(r+1)/2 + r e, "
             "V - 1 + r_e min(r, V - 1)), and V^(N/2); conjecture: the first is attained where it is "
             "the smaller.",
         .trials = placed_tokens_trials},
        {.id = "CAP-mixer_rows_int",
         .statement = "Mixers split by rows have at most M(k_p, p); conjecture: attained.",
         .trials = on_mixers(equal_to, mixer_rows)},
        {.id = "CAP-mixer_cols_int",
         .statement = "Mixers split by columns have at most M(k'_p, p - 1).",
         .trials = on_mixers(at_most, mixer_columns)},
    };
}

}  // namespace plimsoll::verify

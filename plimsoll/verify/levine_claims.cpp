// Claims of Levine et al. 2020 that stand: identities, theorem 3, the lower bounds, the lemmas.
#include <algorithm>
#include <numeric>

#include "plimsoll/base/format.h"
#include "plimsoll/nets/lemma4.h"
#include "plimsoll/nets/sphere_rows.h"
#include "plimsoll/theory/numbers/ball.h"
#include "plimsoll/theory/papers/levine_bounds.h"
#include "plimsoll/verify/attention_cases.h"
#include "plimsoll/verify/claim_tables.h"
#include "plimsoll/verify/field_rank.h"
#include "plimsoll/verify/identities.h"

namespace plimsoll::verify {
namespace {

using theory::Integer;

theory::AttentionShape shape_of(const AttentionCase& c) { return {c.depth, c.width, c.heads}; }

// The published theorems take d_x = H d_a.
bool published_heads(const AttentionCase& c) { return c.heads * c.head_size() == c.width; }

std::optional<Integer> levine_t3(const AttentionCase& c) {
    return pow(Integer(c.heads * (c.head_size() + 1)),
               static_cast<std::uint64_t>(theory::gram_count(c.depth).to_int64()));
}

std::optional<Integer> ms_lower(const AttentionCase& c) {
    if (c.depth < 2 || !published_heads(c) || c.head_size() % 2 == 0 || !c.balanced()) return std::nullopt;
    return theory::ms_lower(shape_of(c));
}

std::optional<Integer> ms_construct(const AttentionCase& c) {
    if (c.depth < 2 || !published_heads(c) || !c.balanced()) return std::nullopt;
    return theory::ms_lower_construct(c.depth, c.heads, c.head_size());
}

// The least integer that is not below a bound given by its log_3; a ball around one integer is that integer.
std::optional<Integer> rounded_up(const theory::Real& log_3) {
    const theory::Ball value = pow(theory::Ball(3, 200), log_3(200));
    if (!value.is_finite()) return std::nullopt;
    if (const auto whole = value.unique_integer()) return whole;
    const auto below = value.unique_floor();
    return below ? std::optional(*below + 1) : std::nullopt;
}

std::optional<Integer> t1_lower(const AttentionCase& c) {
    const bool efficient = theory::depth_regime(c.depth, c.width) == "efficient";
    if (!efficient || !published_heads(c) || c.head_size() < 2 || !c.balanced()) return std::nullopt;
    return rounded_up([&](int bits) { return theory::t1_lower_log3(shape_of(c), bits); });
}

// n = (d - H)/2 as the construction has it: odd head sizes, and n >= 1.
bool has_construction(const AttentionCase& c) { return ms_lower(c) && c.width > c.heads; }

std::optional<Integer> mid_k(const AttentionCase& c) {
    if (!has_construction(c)) return std::nullopt;
    return rounded_up([&](int bits) { return theory::mid_k_log3(shape_of(c), bits); });
}

// (lambda/(n-1) + 1)^(n-1) needs n >= 2.
std::optional<Integer> mid_n(const AttentionCase& c) {
    if (!has_construction(c) || c.width - c.heads < 4) return std::nullopt;
    return rounded_up([&](int bits) { return theory::mid_n_log3(shape_of(c), bits); });
}

std::optional<Integer> t1_upper(const AttentionCase& c) {
    if (theory::depth_regime(c.depth, c.width) != "efficient" || !published_heads(c)) return std::nullopt;
    return theory::t3_upper(shape_of(c));
}

std::optional<Integer> t2_lower(const AttentionCase& c) {
    const bool inefficient = theory::depth_regime(c.depth, c.width) == "inefficient";
    if (!inefficient || !published_heads(c) || c.head_size() < 2 || !c.balanced()) return std::nullopt;
    return rounded_up([&](int bits) { return theory::t2_lower_log3(shape_of(c), bits); });
}

// LEVINE-CLAIM1: every balanced partition, the output on either side.
Result<Observation> same_rank_everywhere(const RankCase& question, const std::vector<std::string>& lefts,
                                         Measurements& measurements) {
    std::vector<std::size_t> ranks;
    for (const auto& left : lefts) {
        for (const std::size_t position :
             {std::size_t{0}, static_cast<std::size_t>(question.positions) - 1}) {
            RankCase one = question;
            one.left = left;
            one.output.col = position;
            PLIMSOLL_ASSIGN(measured, measurements.rank(one));
            ranks.push_back(measured.rank);
        }
    }
    const auto [low, high] = std::minmax_element(ranks.begin(), ranks.end());
    const std::string found = *low == *high ? fmt::format("{} in all {}", *low, ranks.size())
                                            : fmt::format("{} to {}", *low, *high);
    return checked("one rank", found, *low == *high);
}

// Every choice of half the positions that has position 0, as lists.
std::vector<std::string> balanced_lefts(std::int64_t positions) {
    std::vector<std::string> lefts;
    std::vector<int> chosen(static_cast<std::size_t>(positions) - 1, 0);
    std::fill(chosen.begin(), chosen.begin() + positions / 2 - 1, 1);
    do {
        std::string left = "0";
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            if (chosen[k] == 1) left += fmt::format(",{}", k + 1);
        }
        lefts.push_back(left);
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
    return lefts;
}

std::vector<Trial> claim1_trials(Effort effort) {
    std::vector<AttentionCase> cases = {{.depth = 1, .width = 3, .positions = 4},
                                        {.depth = 2, .width = 2, .heads = 2, .positions = 4},
                                        {.depth = 2, .width = 2, .positions = 6},
                                        {.depth = 2, .width = 4, .heads = 2, .positions = 4},
                                        {.depth = 3, .width = 2, .positions = 4}};
    if (effort >= Effort::normal) cases.push_back({.depth = 2, .width = 4, .positions = 8});
    if (effort == Effort::deep) cases.push_back({.depth = 3, .width = 3, .positions = 6});
    std::vector<Trial> trials;
    for (const AttentionCase& c : cases) {
        const RankCase question = c.question();
        trials.push_back({c.name(), question.command() + " --partition all", [=](Measurements& m) {
                              return same_rank_everywhere(question, balanced_lefts(c.positions), m);
                          }});
    }
    return trials;
}

// LEVINE-L4, corrected: the literal network is the closed form and has the promised rank.
Result<Observation> lemma4_observation(const nets::Lemma4Shape& shape) {
    const nets::PrimeField field(nets::prime_with_root_of_minus_one);
    const auto columns = nets::lemma4_columns(shape);
    const Integer promised = theory::multiset(columns, static_cast<std::int64_t>(nets::lemma4_power(shape)));
    RandomStream stream(2, "verify/lemma4");
    const auto v = nets::unit_rows(field, static_cast<std::size_t>(promised.to_int64()) + 3,
                                   static_cast<std::size_t>(columns), stream);
    const auto literal = nets::lemma4_submatrix(field, shape, nets::lemma4_weights(field, shape), v);
    if (literal != nets::lemma4_closed_form(field, shape, v))
        return checked("every entry the closed form", "another entry", false);
    return equal_to(promised, {field_rank(field, literal), true});
}

std::vector<Trial> lemma4_trials(Effort effort) {
    std::vector<nets::Lemma4Shape> shapes = {{2, 2, 3, 4}, {3, 2, 3, 4}, {3, 1, 7, 2},
                                             {3, 3, 3, 4}, {4, 2, 3, 4}, {3, 2, 5, 4}};
    if (effort >= Effort::normal) shapes.push_back({4, 3, 3, 4});
    if (effort == Effort::deep) shapes.push_back({4, 2, 5, 2});
    std::vector<Trial> trials;
    for (const auto& s : shapes) {
        trials.push_back({fmt::format("L={} H={} d_a={} N={}", s.depth, s.heads, s.head_dim, s.positions), "",
                          [=](Measurements&) { return lemma4_observation(s); }});
    }
    return trials;
}

// LEVINE-HADAMARD: any matrix of rank d stays at or below ((d, lambda)), the rows Omega^q reach it.
Result<Observation> hadamard_observation(std::int64_t rank, std::int64_t power, bool special) {
    const nets::PrimeField field;
    const Integer bound = theory::multiset(rank, power);
    RandomStream stream(4, "verify/hadamard");
    const auto size = static_cast<std::size_t>(bound.to_int64()) + 3, r = static_cast<std::size_t>(rank);
    const auto v = nets::power_rows(field, 3, power, rank);
    const auto random = product(field, nets::random_matrix(field, size, r, stream),
                                nets::random_matrix(field, r, size, stream));
    const auto powered = nets::hadamard_power(field, special ? product(field, v, transpose(v)) : random,
                                              static_cast<std::uint64_t>(power));
    const MeasuredRank measured{field_rank(field, powered), true};
    return special ? equal_to(bound, measured) : at_most(bound, measured);
}

std::vector<Trial> hadamard_trials(Effort effort) {
    std::vector<Trial> trials;
    const std::int64_t largest = effort == Effort::quick ? 4 : 6;
    for (std::int64_t rank = 1; rank <= 4; ++rank) {
        for (std::int64_t power = 1; power <= largest; ++power) {
            for (const bool special : {false, true}) {
                trials.push_back(
                    {fmt::format("rank {}, power {}, {}", rank, power, special ? "rows Omega^q" : "random"),
                     "", [=](Measurements&) { return hadamard_observation(rank, power, special); }});
            }
        }
    }
    return trials;
}

}  // namespace

std::vector<Claim> levine_claims() {
    return {
        {.id = "LEVINE-CLAIM1",
         .statement = "Without positional vectors every balanced partition gives the same rank.",
         .trials = claim1_trials},
        {.id = "LEVINE-LAYER",
         .statement = "The matrix form and the column form of a layer agree.",
         .trials = layer_form_trials},
        {.id = "LEVINE-GRAM",
         .statement = "The network is Y = P(X X^T) X with P from the recurrence in the Gram matrix.",
         .trials = gram_trials},
        {.id = "LEVINE-C",
         .statement = "The output is homogeneous of degree 3^L = 2 C(L) + 1 in X.",
         .trials = degree_trials},
        {.id = "LEVINE-LEMMA1",
         .statement = "The network is the sum over H^C(L) words in C(L) Gram matrices.",
         .trials = expansion_trials},
        {.id = "LEVINE-T3",
         .statement = "The rank is at most (H (d_a + 1))^C(L).",
         .trials = on_attention(at_most, levine_t3)},
        {.id = "LEVINE-MS-LOWER",
         .statement = "For odd d_a and L >= 2 the rank is at least (((d - H)/2, 3^(L-2))).",
         .trials = on_attention(at_least, ms_lower)},
        {.id = "LEVINE-MS-CONSTRUCT",
         .statement = "For every d_a and L >= 2 the rank is at least ((H floor((d_a - 1)/2), 3^(L-2))).",
         .trials = on_attention(at_least, ms_construct)},
        {.id = "LEVINE-MID-K",
         .statement = "For odd d_a, L >= 2 and n = (d - H)/2 >= 1 the rank is at least "
                      "((n-1)/lambda + 1)^lambda, lambda = 3^(L-2).",
         .trials = on_attention(at_least, mid_k)},
        {.id = "LEVINE-MID-N",
         .statement = "For odd d_a, L >= 2 and an integer n = (d - H)/2 >= 2 the rank is at least "
                      "(lambda/(n-1) + 1)^(n-1).",
         .trials = on_attention(at_least, mid_n)},
        {.id = "LEVINE-T1-UPPER",
         .statement = "For 3^L < d, log_3 of the rank is at most C(L) log_3(d + H).",
         .trials = on_attention(at_most, t1_upper)},
        {.id = "LEVINE-T1-LOWER",
         .statement = "For 3^L < d and d_a >= 2, log_3 of the rank is at least the lower half of theorem 1.",
         .trials = on_attention(at_least, t1_lower)},
        {.id = "LEVINE-T2-LOWER",
         .statement = "For 3^L > d and d_a >= 2, log_3 of the rank is at least the lower half of theorem 2.",
         .trials = on_attention(at_least, t2_lower)},
        {.id = "LEVINE-L4",
         .statement = "The corrected construction computes the Hadamard power and has rank ((H m, 3^(L-2))).",
         .trials = lemma4_trials},
        {.id = "LEVINE-HADAMARD",
         .statement =
             "The Hadamard power lambda of a matrix of rank d has rank at most ((d, lambda)), attained.",
         .trials = hadamard_trials},
    };
}

}  // namespace plimsoll::verify

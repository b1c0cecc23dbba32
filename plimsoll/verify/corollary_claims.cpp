// The corollaries of Levine et al. 2020: what depth saves, and where width can take its place.
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/nets/lemma4.h"
#include "plimsoll/nets/sphere_rows.h"
#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/theory/papers/levine_bounds.h"
#include "plimsoll/verify/attention_cases.h"
#include "plimsoll/verify/claim_tables.h"
#include "plimsoll/verify/field_rank.h"
#include "plimsoll/verify/log_observation.h"

namespace plimsoll::verify {
namespace {

using theory::AttentionShape;
using theory::Integer;

// The least integer that is not below the number.
std::optional<Integer> least_integer_above(const theory::Ball& value) {
    if (const auto whole = value.unique_integer()) return whole;
    const auto below = value.unique_floor();
    return below ? std::optional(*below + 1) : std::nullopt;
}

std::optional<Integer> corollary1_width(const AttentionShape& deep, std::int64_t shallow_depth) {
    constexpr int bits = 1024;  // the largest width has 211 ternary digits
    return least_integer_above(
        theory::corollary1_min_width(deep, shallow_depth, theory::DeepLower::ms, bits));
}

// LEVINE-COR1 as arithmetic: theorem 3 allows the width it names, and none that is smaller by one.
Result<Observation> least_width_observation(const AttentionShape& deep, std::int64_t shallow_depth) {
    const auto width = corollary1_width(deep, shallow_depth);
    if (!width) return unsupported("corollary 1", "the width is not decided");
    const Integer lower = theory::ms_lower(deep);
    const bool enough = theory::t3_upper({shallow_depth, *width, deep.heads}) >= lower;
    const bool least = theory::t3_upper({shallow_depth, *width - 1, deep.heads}) < lower;
    return checked(fmt::format("{} is the least width", width->text()),
                   enough && least ? "so it is" : "it is not", enough && least);
}

Trial least_width_trial(const AttentionShape& deep, std::int64_t shallow_depth) {
    const std::string d = deep.width.text(), h = deep.heads.text();
    return {fmt::format("L={} d={} H={} by L={}", deep.depth, d, h, shallow_depth),
            fmt::format("plimsoll bounds LEVINE-COR1 L_deep={} dx_deep={} H={} L_shallow={} which=ms",
                        deep.depth, d, h, shallow_depth),
            [=](Measurements&) { return least_width_observation(deep, shallow_depth); }};
}

// The rank of the network of LEVINE-L4: its closed form, of which a corner is compared with the literal
// network.
Result<std::size_t> construction_rank(const nets::Lemma4Shape& shape) {
    const nets::PrimeField field(nets::prime_with_root_of_minus_one);
    const auto columns = nets::lemma4_columns(shape);
    const Integer promised = theory::multiset(columns, static_cast<std::int64_t>(nets::lemma4_power(shape)));
    RandomStream stream(6, "verify/corollary1");
    const auto cols = static_cast<std::size_t>(columns);
    const auto corner = nets::unit_rows(field, 3, cols, stream);
    const auto literal = nets::lemma4_submatrix(field, shape, nets::lemma4_weights(field, shape), corner);
    if (literal != nets::lemma4_closed_form(field, shape, corner))
        return unsupported("corollary 1", "the network is not its closed form");
    const auto v = nets::unit_rows(field, static_cast<std::size_t>(promised.to_int64()), cols, stream);
    return field_rank(field, nets::lemma4_closed_form(field, shape, v));
}

// A network of one layer, as wide as H heads can be below the width that the corollary asks for.
Trial narrow_network_trial(const nets::Lemma4Shape& deep) {
    const AttentionShape shape{deep.depth, deep.heads * deep.head_dim, deep.heads};
    const std::int64_t needed = corollary1_width(shape, 1)->to_int64();
    const AttentionCase narrow{
        .depth = 1, .width = (needed - 1) / deep.heads * deep.heads, .heads = deep.heads, .positions = 2};
    return {
        fmt::format("L={} d={} H={} against {}", deep.depth, shape.width.text(), deep.heads, narrow.name()),
        "", [=](Measurements& m) -> Result<Observation> {
            PLIMSOLL_ASSIGN(rank, construction_rank(deep));
            PLIMSOLL_ASSIGN(measured, m.rank(narrow.question()));
            return checked(fmt::format("below {}", rank), fmt::format("{}", measured.rank),
                           measured.exact && measured.rank < rank);
        }};
}

std::vector<Trial> corollary1_trials(Effort) {
    std::vector<Trial> trials;
    const std::vector<nets::Lemma4Shape> deep = {
        {2, 1, 11, 2}, {2, 1, 13, 2}, {2, 2, 15, 2}, {2, 1, 25, 2}, {2, 2, 25, 2}};
    for (const auto& shape : deep) trials.push_back(narrow_network_trial(shape));
    for (const AttentionShape& shape : {AttentionShape{2, 11, 1},
                                        {3, 28, 4},
                                        {3, 29, 1},
                                        {4, 82, 2},
                                        {4, 99, 3},
                                        {5, 244, 4},
                                        {6, 1000, 16}}) {
        for (std::int64_t shallow = 1; shallow < shape.depth; ++shallow)
            trials.push_back(least_width_trial(shape, shallow));
    }
    return trials;
}

// LEVINE-COR2 with a beta_2 that is enough (docs/bounds/levine-cor2.md): depth 2 log_3 d + 2 + log_3(L
// + 1.55) rounded up, width 3 to that depth, H heads of the size that fits.
AttentionShape wide_and_shallow(const AttentionShape& deep) {
    const double depth =
        2 + (2 * std::log(deep.width.to_double()) + std::log(static_cast<double>(deep.depth) + 1.55)) /
                std::log(3.0);
    const auto rounded = static_cast<std::int64_t>(std::ceil(depth));
    return {rounded, theory::power_of_three(rounded), deep.heads};
}

Trial beta2_trial(const AttentionShape& deep) {
    const AttentionShape shallow = wide_and_shallow(deep);
    return {fmt::format("L={} d={} H={} below L={} d=3^{}", deep.depth, deep.width.text(), deep.heads.text(),
                        shallow.depth, shallow.depth),
            "", [=](Measurements&) -> Result<Observation> {
                const Integer head_dim = floor_div(shallow.width, shallow.heads);
                return exceeds(
                    [=](int bits) {
                        return theory::ms_lower_construct_log3(shallow.depth, shallow.heads, head_dim, bits);
                    },
                    [=](int bits) { return theory::full_bound_log3(deep.depth, deep.width, bits); });
            }};
}

// Two layers of width 9 against three of width 2, both with two heads, measured.
Trial measured_wide_trial(std::int64_t positions) {
    const AttentionCase deep{.depth = 3, .width = 2, .heads = 2, .positions = positions};
    const AttentionCase wide{.depth = 2, .width = 9, .heads = 2, .positions = positions, .head_dim = 4};
    return {fmt::format("{} below {}", deep.name(), wide.name()), wide.question().command(),
            [=](Measurements& m) -> Result<Observation> {
                PLIMSOLL_ASSIGN(deep_rank, m.rank(deep.question()));
                PLIMSOLL_ASSIGN(wide_rank, m.rank(wide.question()));
                return at_least(as_integer(deep_rank.rank + 1), wide_rank);
            }};
}

std::vector<Trial> corollary2_trials(Effort) {
    std::vector<Trial> trials;
    for (const std::int64_t positions : {2, 4, 6}) trials.push_back(measured_wide_trial(positions));
    for (const std::int64_t width : {2, 3, 8, 64, 1024, 12288}) {
        for (const std::int64_t heads : {std::int64_t{2}, width}) {
            for (const std::int64_t depth : {2, 4, 12, 24, 96}) {
                if (theory::depth_regime(depth, width) == "inefficient")
                    trials.push_back(beta2_trial({depth, width, heads}));
            }
        }
    }
    return trials;
}

}  // namespace

std::vector<Claim> corollary_claims() {
    return {
        {.id = "LEVINE-COR1",
         .statement = "Below the width 3^(lower/C(L_shallow)) - H a shallow network has a smaller rank than "
                      "the deep one, and that width is the least that theorem 3 allows.",
         .trials = corollary1_trials},
        {.id = "LEVINE-COR2",
         .statement =
             "For H >= 2, depth 2 log_3 d + 2 + log_3(L + 1.55), rounded up, and width 3 to it have a "
             "larger rank than depth L and width d.",
         .trials = corollary2_trials},
    };
}

}  // namespace plimsoll::verify

// Claims about separation rank itself: SEP-DEF, SEP-GRID, SEP-GENERIC.
#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/nets/attention.h"
#include "plimsoll/nets/lemma4.h"
#include "plimsoll/nets/monomial_net.h"
#include "plimsoll/verify/claim_tables.h"
#include "plimsoll/verify/field_rank.h"

namespace plimsoll::verify {
namespace {

using nets::PrimeField;
using Attention = nets::Attention<PrimeField>;

struct NetShape {
    std::int64_t depth, width, heads;
    std::size_t positions;
};

Attention random_attention(const PrimeField& field, const NetShape& shape, std::uint64_t seed) {
    const arch::AttentionSpec spec{.depth = shape.depth,
                                   .width = shape.width,
                                   .heads = shape.heads,
                                   .head_dim = shape.width / shape.heads,
                                   .embedding_rank = shape.width};
    return {field, nets::draw_attention(field, spec, static_cast<std::int64_t>(shape.positions), seed)};
}

// The network's output 0 at position 0, with these entries of the input on side A.
MeasuredRank attention_rank(const Attention& net, const NetShape& shape, const std::vector<bool>& left,
                            std::size_t size, std::uint64_t seed) {
    return sampled_rank({.field = net.ring(),
                         .rows = static_cast<std::size_t>(shape.width),
                         .cols = shape.positions,
                         .left = left,
                         .value = [&](const FieldMatrix& x) { return net.forward(x)(0, 0); }},
                        size, seed);
}

std::vector<bool> first_positions(const NetShape& shape, std::size_t count) {
    return left_columns(static_cast<std::size_t>(shape.width), shape.positions, count);
}

// The same with the first half of the positions on side A.
MeasuredRank attention_rank(const Attention& net, const NetShape& shape, std::size_t size) {
    return attention_rank(net, shape, first_positions(shape, shape.positions / 2), size, 7);
}

// SEP-DEF: the sides in exchanged roles, with other samples; a side without positions leaves one function.
Result<Observation> exchanged_sides(const NetShape& shape, std::size_t count) {
    const auto net = random_attention(PrimeField(), shape, 5);
    auto sides = first_positions(shape, count);
    const auto rank = attention_rank(net, shape, sides, 60, 7);
    sides.flip();
    const auto exchanged = attention_rank(net, shape, sides, 60, 8);
    const bool one_sided = count == 0 || count == shape.positions;
    if (one_sided) return equal_to(1, {std::max(rank.rank, exchanged.rank), true});
    return equal_to(theory::Integer(static_cast<std::int64_t>(rank.rank)), exchanged);
}

std::vector<Trial> definition_trials(Effort) {
    std::vector<Trial> trials;
    const std::vector<NetShape> shapes = {{1, 3, 1, 4}, {2, 2, 1, 4}, {2, 2, 2, 4}, {2, 3, 1, 4}};
    for (const NetShape& shape : shapes) {
        for (std::size_t count = 0; count <= shape.positions; ++count) {
            trials.push_back({fmt::format("L={} d={} H={} N={}, |A|={}", shape.depth, shape.width,
                                          shape.heads, shape.positions, count),
                              "", [=](Measurements&) { return exchanged_sides(shape, count); }});
        }
    }
    return trials;
}

// Entry (row, col) of the matricised grid tensor: the digits of row and col in base M choose the templates.
FieldMatrix grid_input(const FieldMatrix& templates, std::size_t positions, std::size_t row,
                       std::size_t col) {
    FieldMatrix x(templates.rows(), positions);
    const std::size_t half = positions / 2, base = templates.cols();
    for (std::size_t j = half; j-- > 0; row /= base, col /= base) {
        for (std::size_t p = 0; p < x.rows(); ++p) {
            x(p, j) = templates(p, row % base);
            x(p, half + j) = templates(p, col % base);
        }
    }
    return x;
}

std::size_t grid_rank(const Attention& net, const NetShape& shape, std::size_t templates) {
    RandomStream stream(3, "verify/templates");
    const auto chosen =
        nets::random_matrix(net.ring(), static_cast<std::size_t>(shape.width), templates, stream);
    std::size_t size = 1;
    for (std::size_t j = 0; j < shape.positions / 2; ++j) size *= templates;
    FieldMatrix grid(size, size);
    for (std::size_t row = 0; row < size; ++row) {
        for (std::size_t col = 0; col < size; ++col) {
            grid(row, col) = net.forward(grid_input(chosen, shape.positions, row, col))(0, 0);
        }
    }
    return field_rank(net.ring(), grid);
}

std::vector<Trial> grid_trials(Effort effort) {
    std::vector<Trial> trials;
    std::vector<std::pair<NetShape, std::size_t>> cases;
    for (const std::size_t templates : {1, 2, 3, 4}) cases.push_back({{2, 2, 1, 4}, templates});
    cases.push_back({{1, 3, 1, 6}, 2});
    cases.push_back({{2, 2, 2, 4}, 4});
    if (effort >= Effort::normal) cases.push_back({{2, 2, 1, 4}, 6});
    if (effort >= Effort::normal) cases.push_back({{3, 2, 1, 4}, 12});
    for (const auto& [shape, templates] : cases) {
        const std::string name = fmt::format("L={} d={} H={} N={}, {} templates", shape.depth, shape.width,
                                             shape.heads, shape.positions, templates);
        trials.push_back({name, "", [shape, templates](Measurements&) -> Result<Observation> {
                              const auto net = random_attention(PrimeField(), shape, 5);
                              const auto sep = attention_rank(net, shape, shape.depth == 3 ? 240 : 40);
                              const theory::Integer bound(static_cast<std::int64_t>(sep.rank));
                              return at_most(bound, {grid_rank(net, shape, templates), true});
                          }});
    }
    return trials;
}

Observation generic_observation(const Attention& special, const NetShape& shape, std::size_t size) {
    const auto at_special = attention_rank(special, shape, size);
    const auto at_random = attention_rank(random_attention(special.ring(), shape, 9), shape, size);
    return at_least(theory::Integer(static_cast<std::int64_t>(at_special.rank)), at_random);
}

Trial generic_monomial_trial(const nets::MonomialNet& net, std::size_t size) {
    const NetShape shape{static_cast<std::int64_t>(net.shifts.size()), net.width, net.width,
                         2 * static_cast<std::size_t>(net.width)};
    return {fmt::format("monomial network L={} d=H={} N={}", shape.depth, shape.width, shape.positions), "",
            [=](Measurements&) -> Result<Observation> {
                const PrimeField field;
                return generic_observation(Attention(field, nets::monomial_weights(field, net)), shape, size);
            }};
}

Trial lemma4_trial(const nets::Lemma4Shape& lemma, std::size_t size) {
    const NetShape shape{lemma.depth, lemma.heads * lemma.head_dim, lemma.heads,
                         static_cast<std::size_t>(lemma.positions)};
    return {fmt::format("weights of LEVINE-L4 L={} d={} H={} N={}", shape.depth, shape.width, shape.heads,
                        shape.positions),
            "", [=](Measurements&) -> Result<Observation> {
                const PrimeField field(nets::prime_with_root_of_minus_one);
                return generic_observation(Attention(field, nets::lemma4_weights(field, lemma)), shape, size);
            }};
}

std::vector<Trial> generic_trials(Effort effort) {
    std::vector<Trial> trials = {
        generic_monomial_trial({2, {{0, 0}, {0, 1}}}, 25),
        lemma4_trial({.depth = 2, .heads = 2, .head_dim = 3, .positions = 4}, 40),
        generic_monomial_trial({3, {{1, 2}, {0, 1}}}, 60),
        lemma4_trial({.depth = 3, .heads = 2, .head_dim = 3, .positions = 2}, 60),
    };
    if (effort >= Effort::normal)
        trials.push_back(generic_monomial_trial({2, {{0, 0}, {0, 1}, {1, 1}}}, 240));
    return trials;
}

}  // namespace

std::vector<Claim> separation_claims() {
    return {
        {.id = "SEP-DEF",
         .statement = "Exchanging the sides leaves the rank as it is, and a side without inputs makes it 1.",
         .trials = definition_trials},
        {.id = "SEP-GRID",
         .statement = "The matricised grid tensor of any templates has at most the separation rank.",
         .trials = grid_trials},
        {.id = "SEP-GENERIC",
         .statement = "Random weights reach at least the rank that special weights reach.",
         .trials = generic_trials},
    };
}

}  // namespace plimsoll::verify

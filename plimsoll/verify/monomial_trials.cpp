#include "plimsoll/verify/monomial_trials.h"

#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/nets/monomial_net.h"
#include "plimsoll/theory/papers/counterexample.h"
#include "plimsoll/verify/field_rank.h"

namespace plimsoll::verify {
namespace {

using nets::MonomialNet;
using nets::PrimeField;
using theory::Integer;

const std::array<MonomialNet, 4> refuting_nets = {{
    {4, {{1, 2}, {2, 2}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}}},
    {8, {{1, 1}, {2, 5}, {3, 5}, {5, 6}, {2, 6}, {3, 7}, {1, 2}}},
    {6, {{1, 2}, {2, 2}, {2, 4}, {1, 4}, {2, 5}, {0, 3}, {1, 4}, {0, 3}, {3, 5}, {1, 5}}},
    {8, {{3, 6}, {3, 3}, {3, 5}, {2, 3}, {1, 5}, {2, 6}, {6, 7}, {2, 6}, {1, 5}}},
}};

const std::vector<MonomialNet> small_nets = {
    {1, {{0, 0}, {0, 0}}}, {2, {{0, 1}}},         {2, {{0, 0}, {0, 1}}}, {2, {{1, 1}, {0, 1}}},
    {3, {{1, 2}, {0, 1}}}, {3, {{0, 1}, {1, 2}}}, {4, {{1, 2}, {0, 3}}},
};
const std::vector<MonomialNet> larger_nets = {{2, {{0, 0}, {0, 1}, {1, 1}}}, {3, {{1, 2}, {0, 1}, {0, 2}}}};

std::int64_t depth_of(const MonomialNet& net) { return static_cast<std::int64_t>(net.shifts.size()); }

std::string name_of(const MonomialNet& net) {
    return fmt::format("monomial network d=H={} L={} N={}", net.width, depth_of(net), 2 * net.width);
}

Integer monomial_rank(const MonomialNet& net) {
    theory::MonomialNetwork same{net.width, {}};
    for (const auto& [a, b] : net.shifts) same.shifts.emplace_back(a, b);
    return theory::monomial_separation_rank(same, 0);
}

std::string command_of(const MonomialNet& net) {
    std::string pairs;
    for (const auto& [a, b] : net.shifts) pairs += fmt::format("{}[{},{}]", pairs.empty() ? "" : ",", a, b);
    return fmt::format("plimsoll bounds ERR-COUNTEREXAMPLE d={} L={} 'ab=[{}]' output_coordinate=0",
                       net.width, depth_of(net), pairs);
}

// Output 0 at position 0 of the literal network, at a random input, against x_0 prod G_st^k_st.
bool literal_is_the_monomial(const MonomialNet& net) {
    const PrimeField field;
    const auto d = static_cast<std::size_t>(net.width);
    RandomStream stream(21, "verify/monomial");
    const auto x = nets::random_matrix(field, d, 2 * d, stream);
    const auto y = nets::Attention<PrimeField>(field, nets::monomial_weights(field, net)).forward(x);
    const auto exponents = nets::monomial_exponents(net, 0);
    return y(0, 0) == nets::evaluate_monomial(field, exponents, product(field, x, transpose(x)), x(0, 0)) &&
           Integer(exponents.total()) == theory::gram_count(depth_of(net));
}

Observation against(const MonomialNet& net, const UpperBoundLog3& bound) {
    if (!literal_is_the_monomial(net)) return checked("the monomial", "another output", false);
    const Integer rank = monomial_rank(net);
    const auto bound_log3 = [&](int bits) { return bound(depth_of(net), net.width, bits); };
    const auto exceeds =
        theory::decide_less(bound_log3, [&](int bits) { return theory::log3(theory::Ball(rank, bits)); });
    Observation seen{fmt::format("at most 3^{}", bound_log3(64).text(6)),
                     fmt::format("3^{}", theory::log3(theory::Ball(rank, 64)).text(6))};
    if (exceeds != theory::Verdict::undecided)
        seen.outcome = exceeds == theory::Verdict::proved ? Outcome::fails : Outcome::holds;
    return seen;
}

Trial product_trial(const MonomialNet& net) {
    return {name_of(net), command_of(net), [=](Measurements&) -> Result<Observation> {
                const PrimeField field;
                const auto d = static_cast<std::size_t>(net.width);
                const nets::Attention<PrimeField> attention(field, nets::monomial_weights(field, net));
                const Integer rank = monomial_rank(net);
                return equal_to(
                    rank,
                    sampled_rank({.field = field,
                                  .rows = d,
                                  .cols = 2 * d,
                                  .left = left_columns(d, 2 * d, d),
                                  .value = [&](const FieldMatrix& x) { return attention.forward(x)(0, 0); }},
                                 static_cast<std::size_t>(rank.to_int64()) + 6, 22));
            }};
}

}  // namespace

Trial monomial_trial(std::size_t net, const UpperBoundLog3& bound) {
    const MonomialNet& chosen = refuting_nets.at(net);
    return {name_of(chosen), command_of(chosen),
            [&chosen, bound](Measurements&) -> Result<Observation> { return against(chosen, bound); }};
}

std::vector<Trial> product_trials(Effort effort) {
    std::vector<Trial> trials;
    for (const auto& net : small_nets) trials.push_back(product_trial(net));
    if (effort == Effort::quick) return trials;
    for (const auto& net : larger_nets) trials.push_back(product_trial(net));
    return trials;
}

}  // namespace plimsoll::verify

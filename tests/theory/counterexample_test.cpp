#include "plimsoll/theory/papers/counterexample.h"

#include <gtest/gtest.h>

#include "plimsoll/nets/monomial_net.h"
#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/theory/papers/levine_bounds.h"
#include "plimsoll/theory/papers/wies_bounds.h"
#include "tests/theory/fixtures.h"
#include "tests/theory/laws.h"

namespace plimsoll::theory {
namespace {

// prod (k_st + 1) over the exponents the network's literal evaluation was tested with (tests/nets).
Integer product_over_exponents(const MonomialNetwork& network, std::int64_t coordinate) {
    nets::MonomialNet net{network.width, {}};
    for (const auto& [a, b] : network.shifts) net.shifts.push_back({a, b});
    Integer product = 1;
    const auto exponents = nets::monomial_exponents(net, coordinate);
    for (const auto k : exponents.triangle()) product *= Integer(k) + 1;
    return product;
}

std::vector<MonomialNetwork> networks_of_the_vectors() {
    std::vector<MonomialNetwork> all;
    const Json fixture = theory_fixture("papers.json");
    for (const auto& vector : fixture["vectors"]) {
        if (vector["id"] != "ERR-COUNTEREXAMPLE") continue;
        MonomialNetwork network{vector["inputs"]["d"].get<std::int64_t>(), {}};
        for (const auto& pair : vector["inputs"]["ab"]) network.shifts.emplace_back(pair[0], pair[1]);
        all.push_back(network);
    }
    return all;
}

TEST(Counterexample, RankIsTheProductOverTheExponentsOfTheNet) {
    const auto networks = networks_of_the_vectors();
    EXPECT_EQ(networks.size(), 3U);
    for (const auto& network : networks) {
        for (std::int64_t p = 0; p < network.width; ++p) {
            EXPECT_EQ(monomial_separation_rank(network, p), product_over_exponents(network, p));
        }
    }
    for_seeds(30, [](RandomStream& stream) {
        MonomialNetwork network{random_between(stream, 1, 7), {}};
        for (std::int64_t l = random_between(stream, 0, 9); l > 0; --l) {
            network.shifts.emplace_back(random_between(stream, 0, network.width - 1),
                                        random_between(stream, 0, network.width - 1));
        }
        const std::int64_t p = random_between(stream, 0, network.width - 1);
        EXPECT_EQ(monomial_separation_rank(network, p), product_over_exponents(network, p));
        // Shifts count modulo the width, also negative ones.
        MonomialNetwork turned = network;
        for (auto& [a, b] : turned.shifts) {
            a -= network.width;
            b += 3 * network.width;
        }
        EXPECT_EQ(monomial_separation_rank(turned, p), monomial_separation_rank(network, p));
    });
    EXPECT_THROW((void)monomial_separation_rank({2, {}}, 2), Bug);
}

struct Refutation {
    std::string beaten;  // T4, T2 or WIES with r_e
    MonomialNetwork network;
    double log3_rank, log3_bound;
};

// ERRATA E1, evidence 2, each certified; the repaired bound stands. (d8L10 is ours; the erratum's reaches
// 196.011.)
TEST(Counterexample, BeatsTheoremsTwoAndFourAndNotTheRepair) {
    const MonomialNetwork d8L7{8, {{1, 1}, {2, 5}, {3, 5}, {5, 6}, {2, 6}, {3, 7}, {1, 2}}};
    const MonomialNetwork d8L9{8, {{3, 6}, {3, 3}, {3, 5}, {2, 3}, {1, 5}, {2, 6}, {6, 7}, {2, 6}, {1, 5}}};
    const MonomialNetwork d6L10{
        6, {{1, 2}, {2, 2}, {2, 4}, {1, 4}, {2, 5}, {0, 3}, {1, 4}, {0, 3}, {3, 5}, {1, 5}}};
    const MonomialNetwork d4L12{
        4, {{1, 2}, {2, 2}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}}};
    const MonomialNetwork d8L10{
        8, {{1, 1}, {3, 4}, {2, 7}, {5, 7}, {3, 7}, {1, 5}, {2, 6}, {5, 7}, {1, 7}, {4, 6}}};
    const std::vector<Refutation> all{
        {"T4", d8L7, 91.4436, 90.3920},     {"T2", d8L9, 160.290, 149.267},  {"T4", d8L9, 160.290, 122.363},
        {"WIES0", d8L9, 160.290, 152.611},  {"T2", d6L10, 130.778, 130.554}, {"T4", d4L12, 91.382, 89.953},
        {"WIES1", d8L10, 196.007, 188.717},
    };
    for (const auto& r : all) {
        const auto L = static_cast<std::int64_t>(r.network.shifts.size());
        const std::int64_t d = r.network.width;
        const Integer rank = monomial_separation_rank(r.network, 0);
        const Real bound = [&](int bits) {
            if (r.beaten == "T4") return t4_upper_log3(L, d, bits);
            if (r.beaten == "T2") return t2_upper_log3(L, d, bits);
            return wies_t3_log3(L, d, r.beaten == "WIES0" ? 0 : 1, bits);
        };
        EXPECT_NEAR(log3(Ball(rank, 64)).middle(), r.log3_rank, 6e-4) << r.beaten;
        EXPECT_NEAR(bound(64).middle(), r.log3_bound, 6e-4) << r.beaten;
        EXPECT_EQ(decide_less(bound, log3_of(rank)), Verdict::proved) << r.beaten;
        EXPECT_LE(rank, full_bound(L, d)) << r.beaten;
        EXPECT_NE(less(t3_upper_log3({L, d, d}, 64), log3(Ball(rank, 64))), Verdict::proved);
        EXPECT_NE(less(heads_bound_log3(L, {d, d, 1}, 64), log3(Ball(rank, 64))), Verdict::proved);
    }
    EXPECT_EQ(monomial_separation_rank(d8L7, 0).text(), "42626199320887320772141665443276390400000000");
}

}  // namespace
}  // namespace plimsoll::theory

#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/fit/propose/propose.h"
#include "plimsoll/fit/propose/shape_maker.h"
#include "tests/fit/proposal_cases.h"

namespace plimsoll::fit {
namespace {

TEST(Propose, EveryInputIsTriedAtOneDepthOfItsFamilyAndTheTableHasOneInput) {
    for (const auto& c : cases()) {
        const Proposal proposal = proposed(c);
        std::map<std::string, std::set<std::string>> table, tried;
        std::map<std::string, std::set<std::int64_t>> depths;
        for (const auto& candidate : proposal.candidates)
            table[candidate.family].insert(candidate.input.name);
        EXPECT_EQ(proposal.trials.has_value(), c.look.inputs.size() > 1) << c.name;
        if (!proposal.trials) continue;
        for (const auto& network : proposal.trials->networks) {
            EXPECT_TRUE(tried[network.family].insert(network.input.name).second) << network.label;
            depths[network.family].insert(network.depth);
            EXPECT_LE(network.depth, 6) << network.label;
        }
        for (const auto& [family, inputs] : table) {
            EXPECT_EQ(inputs.size(), 1U) << c.name << " " << family;
            EXPECT_EQ(depths[family].size(), 1U) << c.name << " " << family;
        }
        const auto left = std::ranges::count_if(proposal.pruned, [](const auto& one) {
            return one.find("its table alone") != std::string::npos;
        });
        EXPECT_EQ(static_cast<std::int64_t>(tried["transformer"].size()) + left,
                  static_cast<std::int64_t>(c.look.inputs.size()))
            << c.name;
    }
}

TEST(Propose, SettledOnTheorysInputItIsTheSame) {
    for (const auto& c : cases()) {
        const Proposal proposal = proposed(c);
        if (!proposal.trials) continue;
        std::vector<FamilyInput> theirs;
        for (const auto& network : proposal.trials->networks)
            if (std::ranges::count(theirs, network.family, &FamilyInput::family) == 0)
                theirs.push_back({network.family, network.input.name});
        auto settled = settle(with_budget(c.budget), c.look, proposal, theirs);
        ASSERT_TRUE(settled.ok()) << settled.error().text();
        EXPECT_EQ(settled->trials->chosen, theirs);
        Proposal same = std::move(settled).value();
        same.trials->chosen.clear();
        EXPECT_EQ(to_json(same), to_json(proposal)) << c.name;
    }
}

// Other sizes take twice the time there.
TEST(Propose, HeadsAreMultiplesOfEightOnAGpu) {
    for (const auto& c : cases()) {
        FitRequest request = with_budget(10 * c.budget);
        request.device = "cuda";
        const auto proposal = propose(request, c.look);
        ASSERT_TRUE(proposal.ok()) << c.name << ": " << proposal.error().text();
        std::set<std::int64_t> depths;
        for (const auto* network : networks_of(*proposal)) {
            const auto* net = std::get_if<arch::TransformerSpec>(&network->spec);
            if (net == nullptr) continue;
            EXPECT_EQ(net->head_dim % 8, 0) << c.name << " " << network->label;
            EXPECT_LE(net->head_dim, net->heads == 1 ? 1'000 : 64) << network->label;
            EXPECT_NEAR(static_cast<double>(network->parameters) / (10 * static_cast<double>(c.budget)), 1,
                        budget_tolerance)
                << network->label;
            depths.insert(network->depth);
        }
        EXPECT_GE(depths.size(), 6U) << c.name;
    }
    for (const std::int64_t width : {56, 88, 104, 112, 136, 152, 176, 208})
        EXPECT_FALSE(heads_of_eights(width)) << width;
    EXPECT_EQ(heads_of_eights(160), 4);
    EXPECT_EQ(heads_of_eights(72), 3);
    EXPECT_EQ(heads_of_eights(512), 8);
}

}  // namespace
}  // namespace plimsoll::fit

#include "plimsoll/fit/decide/change_first.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>

#include "plimsoll/base/format.h"
#include "plimsoll/fit/decide/difference_text.h"
#include "plimsoll/fit/decide/duel.h"
#include "plimsoll/fit/decide/lead_outcome.h"

namespace plimsoll::fit {
namespace {

std::string one_input_only(const DataLook& look, const Candidate& winner) {
    if (!hampered_by(winner, "R7")) {
        return fmt::format("The data was cut in one way only ({}), and theory sees no bottleneck in it.",
                           winner.input.name);
    }
    return fmt::format(
        "First give the input more rank: {} brings {:.0f} dimensions to a width of {}; {} of {} or more "
        "would use it (R7).",
        winner.input.name, winner.input.rank, winner.width,
        look.modality == Modality::images ? "patches" : "a vocabulary", winner.width / 2);
}

// Depths of a family that were proposed on both inputs, the nearest to `depth` (as a factor) first.
std::vector<std::int64_t> shared_depths(const Proposal& proposal, const Candidate& winner,
                                        const std::string& other) {
    std::set<std::int64_t> here, both;
    for (const auto* c : networks_of(proposal))
        if (c->family == winner.family && c->input.name == winner.input.name) here.insert(c->depth);
    for (const auto* c : networks_of(proposal))
        if (c->family == winner.family && c->input.name == other && here.contains(c->depth))
            both.insert(c->depth);
    std::vector<std::int64_t> depths(both.begin(), both.end());
    std::ranges::stable_sort(depths, {}, [&](auto depth) {
        return std::abs(std::log(static_cast<double>(depth) / static_cast<double>(winner.depth)));
    });
    return depths;
}

// Another input against the winner's, at one depth.
struct InputDuel {
    std::string other;
    std::int64_t depth = 0;
    Duel duel;  // the other one is the first
};
std::optional<InputDuel> input_duel(const DataLook& look, const Proposal& proposal, const Race& race,
                                    const Candidate& winner, const std::string& other,
                                    std::size_t comparisons) {
    for (const auto depth : shared_depths(proposal, winner, other)) {
        const auto on = [&](const std::string& input) {
            return [&, input](const Candidate& c) {
                return c.family == winner.family && c.depth == depth && c.input.name == input;
            };
        };
        if (auto found = duel(look, proposal, race, on(other), on(winner.input.name), comparisons))
            return InputDuel{other, depth, std::move(*found)};
    }
    return std::nullopt;
}

// The other input that does best beside the winner's.
std::optional<InputDuel> best_input_duel(const DataLook& look, const Proposal& proposal, const Race& race,
                                         const Candidate& winner, const std::set<std::string>& inputs) {
    std::optional<InputDuel> best;
    for (const auto& input : inputs) {
        if (input == winner.input.name) continue;
        auto one = input_duel(look, proposal, race, winner, input, inputs.size() - 1);
        if (one && (!best || one->duel.lead > best->duel.lead)) best = std::move(one);
    }
    return best;
}

std::string input_words(const InputDuel& found, const Candidate& winner, const DataLook& look,
                        const Race& race) {
    const std::string by = with_noise(std::abs(found.duel.lead), found.duel.half_width, look);
    const std::string where = fmt::format(
        "at {} {}{}", found.depth, found.depth == 1 ? "layer on either" : "layers on either",
        has_input_rung(race.plan) && found.duel.table.rung == input_rung ? " and half the training" : "");
    switch (outcome_of_lead(found.duel.lead, found.duel.half_width, 0)) {
        case report::Outcome::as_predicted:
            return fmt::format("First cut the data otherwise: {} beats {} by {}, {}.", found.other,
                               winner.input.name, by, where);
        case report::Outcome::against:
            return fmt::format("Keep {}: the next best way to cut the data, {}, is {} behind, {}.",
                               winner.input.name, found.other, by, where);
        default:
            return fmt::format(
                "How the data is cut need not be changed first: {} and {} differ by {}, inside the noise, "
                "{}.",
                winner.input.name, found.other, by, where);
    }
}

}  // namespace

std::string change_first(const DataLook& look, const Proposal& proposal, const Race& race,
                         const Candidate& winner) {
    std::set<std::string> inputs;
    for (const auto* network : networks_of(proposal)) inputs.insert(network->input.name);
    if (inputs.size() < 2) return one_input_only(look, winner);
    const auto found = best_input_duel(look, proposal, race, winner, inputs);
    if (found) return input_words(*found, winner, look, race);
    return fmt::format(
        "Which way of cutting the data is best the race cannot say: no depth ran both on {} and on another.",
        winner.input.name);
}

}  // namespace plimsoll::fit

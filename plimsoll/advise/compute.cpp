#include "plimsoll/advise/compute.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "plimsoll/base/text.h"

namespace plimsoll::advise {
namespace {

constexpr double seconds_an_hour = 3600;

constexpr std::array cards{
    Card{"v100", "V100", 125e12},       Card{"a100", "A100", 312e12},
    Card{"h100", "H100", 989e12},       Card{"h200", "H200", 989e12},
    Card{"b200", "B200", 2250e12},      Card{"l40s", "L40S", 362e12},
    Card{"rtx3090", "RTX 3090", 71e12}, Card{"rtx4090", "RTX 4090", 165e12},
    Card{"mi300x", "MI300X", 1307e12},
};

}  // namespace

std::span<const Card> known_cards() { return cards; }

Result<Card> card_named(std::string_view name, std::string_view where) {
    const auto found = std::ranges::find(cards, name, &Card::name);
    if (found != cards.end()) return *found;
    std::vector<std::string> names;
    for (const auto& card : cards) names.emplace_back(card.name);
    return bad_input(std::string(where), "unknown '" + std::string(name) + "'" + suggestion(name, names));
}

double parameters_for_flops(double flops) {
    return std::sqrt(flops / (flops_per_parameter_token * tokens_per_parameter));
}

double flops_of_hours(double hours, const Card& card) {
    return hours * seconds_an_hour * card.peak_flops * assumed_utilisation;
}

double hours_of_flops(double flops, const Card& card) { return flops / flops_of_hours(1, card); }

}  // namespace plimsoll::advise

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "plimsoll/base/result.h"

// From compute to parameters and back, by stated assumptions.
namespace plimsoll::advise {

// Tokens a parameter is trained on: Hoffmann et al. 2022 ("Chinchilla").
constexpr double tokens_per_parameter = 20;
// Training FLOPs of a parameter and a token: forward 2, backward 4.
constexpr double flops_per_parameter_token = 6;
// The share of a card's peak that training reaches: a usual value, not a measurement of ours.
constexpr double assumed_utilisation = 0.4;

// A card and its dense peak in bfloat16 (float16 for the V100), by its maker's data sheet.
struct Card {
    std::string_view name, title;
    double peak_flops = 0;
};
std::span<const Card> known_cards();
// The card of that name; the error at `where` lists the names.
Result<Card> card_named(std::string_view name, std::string_view where);

// The parameters whose training on 20 tokens each takes so many FLOPs: C = 6 N D with D = 20 N.
double parameters_for_flops(double flops);

// FLOPs of so many hours of one card at the assumed utilisation, and the reverse.
double flops_of_hours(double hours, const Card& card);
double hours_of_flops(double flops, const Card& card);

}  // namespace plimsoll::advise

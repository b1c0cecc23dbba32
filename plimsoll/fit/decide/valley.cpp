#include "plimsoll/fit/decide/valley.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/fit/decide/difference_text.h"

namespace plimsoll::fit {
namespace {

// A curve that still falls by less than this share of the 1 % at an end of the field is flat there.
constexpr double flat_share = 0.25;

constexpr double near_end = 1.0 / 8;  // of the field, in the logarithm

// What the best depth gains on one near it, where it is the first or the last that raced.
double gain_at_end(const DepthCurve& curve, double end, double other_end) {
    return curve.at(end * std::pow(other_end / end, near_end)) - curve.at(end);
}

ValleyState state_of(const DepthCurve& curve, const Basin& basin, double first, double last,
                     const Noise& usual, double allowed) {
    if (usual.half_width(1) > allowed) return ValleyState::noise_wide;
    constexpr double rounding = 1e-9;
    const bool at_end = basin.best >= last * (1 - rounding), at_start = basin.best <= first * (1 + rounding);
    if (at_end && gain_at_end(curve, last, first) > flat_share * allowed) return ValleyState::at_deep_end;
    if (at_start && first > 1 && gain_at_end(curve, first, last) > flat_share * allowed)
        return ValleyState::at_shallow_end;
    return ValleyState::known;
}

void set_basin(Valley& valley, const Basin& basin) {
    valley.best = basin.best;
    valley.best_low = basin.best_interval.low;
    valley.best_high = basin.best_interval.high;
    valley.low = basin.low;
    valley.low_least = basin.low_interval.low;
    valley.low_most = basin.low_interval.high;
    valley.high = basin.high;
    valley.high_least = basin.high_interval.low;
    valley.high_most = basin.high_interval.high;
    valley.open_below = basin.open_below;
    valley.open_above = basin.open_above;
}

// The curve as people see values: accuracy upwards.
void set_curve(Valley& valley, const DepthCurve& curve, bool lower_is_better) {
    for (const auto& [depth, value, band] : curve.places()) {
        if (lower_is_better)
            valley.curve.push_back({depth, value, band.low, band.high});
        else
            valley.curve.push_back({depth, -value, -band.high, -band.low});
    }
}

std::string best_words(const Valley& valley) {
    return fmt::format("best depth {:.2g} ({:.2g} to {:.2g}, 95 %)", valley.best, valley.best_low,
                       valley.best_high);
}

std::string end_words(const Valley& valley) {
    std::vector<std::string> ends;
    if (!valley.open_below)
        ends.push_back(fmt::format("{:.2g} to {:.2g}", valley.low_least, valley.low_most));
    if (!valley.open_above)
        ends.push_back(fmt::format("{:.2g} to {:.2g}", valley.high_least, valley.high_most));
    if (ends.empty()) return "";
    return fmt::format("; its {} {} known to {}", ends.size() == 1 ? "end" : "ends",
                       ends.size() == 1 ? "is" : "are", fmt::join(ends, " and "));
}

// What is asked of a depth: "1 %", "1 point of accuracy".
std::string allowed_words(const DataLook& look) { return is_share(look.goal) ? "1 point" : "1 %"; }

std::string unknown_words(const Valley& valley, const DataLook& look, const Noise& usual) {
    switch (valley.state) {
        case ValleyState::few_depths:
            return fmt::format("fewer than {} depths on one input finished together", curve_depths_needed);
        case ValleyState::noise_unknown:
            return "one seed does not say how large the noise is";
        case ValleyState::noise_wide:
            return fmt::format("a difference is known to +- {}, and {} is asked",
                               difference_text(usual.half_width(1), look), allowed_words(look));
        case ValleyState::at_deep_end:
            return fmt::format(
                "the deepest network that raced is the best, so deeper ones may be better ({})",
                best_words(valley));
        case ValleyState::at_shallow_end:
            return fmt::format(
                "the shallowest network that raced is the best, so shallower ones may be better ({})",
                best_words(valley));
        case ValleyState::known:
            break;
    }
    return "";
}

std::string valley_sentence(const Valley& valley, const DataLook& look, const Noise& usual) {
    if (!valley.known())
        return fmt::format("Which depths are as good is not known: {}.", unknown_words(valley, look, usual));
    return fmt::format(
        "{} cost at most {} more than the best depth at this length{}; {}{}.", range_words(valley),
        allowed_words(look), end_words(valley), best_words(valley),
        valley.joined ? "; no smooth curve fits, so depths between those that raced are guesses" : "");
}

}  // namespace

std::string_view name_of(ValleyState state) {
    switch (state) {
        case ValleyState::known:
            return "known";
        case ValleyState::few_depths:
            return "few depths";
        case ValleyState::noise_unknown:
            return "noise unknown";
        case ValleyState::noise_wide:
            return "noise too wide";
        case ValleyState::at_shallow_end:
            return "best at the shallow end";
        case ValleyState::at_deep_end:
            return "best at the deep end";
    }
    return "";
}

std::int64_t Valley::least_depth() const {
    return std::min(std::llround(best), static_cast<long long>(std::ceil(low - 1e-6)));
}

std::int64_t Valley::most_depth() const {
    return std::max(std::llround(best), static_cast<long long>(std::floor(high + 1e-6)));
}

std::string range_words(const Valley& valley) {
    const auto low = valley.least_depth(), high = valley.most_depth();
    if (valley.open_above && low > 1) return fmt::format("{} to {} or more layers", low, high);
    return low == high ? layers(low) : fmt::format("{} to {} layers", low, high);
}

Valley valley_of(const RungTable& table, const RungNoise& noise, const DataLook& look,
                 const Proposal& proposal, const Candidate& like) {
    const auto rows = depth_rows(table, proposal, like);
    const Noise usual = noise.usual();
    Valley valley;
    valley.family = like.family;
    valley.input = like.input.name;
    valley.rung = table.rung;
    valley.allowed = negligible(table, look);
    const auto curve = curve_of(table, noise, look, rows);
    if (curve) {
        const Basin basin = curve->curve.basin(valley.allowed);
        set_basin(valley, basin);
        set_curve(valley, curve->curve, table.lower_is_better);
        valley.joined = curve->joined;
        valley.state = state_of(curve->curve, basin, real(rows.begin()->first), real(rows.rbegin()->first),
                                usual, valley.allowed);
    } else if (rows.size() >= curve_depths_needed) {
        valley.state = ValleyState::noise_unknown;
    }
    valley.sentence = valley_sentence(valley, look, usual);
    return valley;
}

}  // namespace plimsoll::fit

#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "plimsoll/fit/decide/compare.h"
#include "tests/fit/races.h"

// Curves over depth whose valley is known exactly, and rungs that were drawn from them.
namespace plimsoll::fit {

struct DrawnValley {
    std::function<double(double)> curve;
    double shallowest = 1, deepest = 24;
    double best = 0, low = 0, high = 0;  // of the curve between them; the ends where it costs 1 % more
    std::vector<double> truths;          // at each depth, its own deviation included

    // Finds the valley on a fine grid.
    void solve() {
        constexpr int steps = 4000;
        const auto at = [&](int i) { return shallowest * std::pow(deepest / shallowest, double(i) / steps); };
        int lowest = 0;
        for (int i = 0; i <= steps; ++i)
            if (curve(at(i)) < curve(at(lowest))) lowest = i;
        const double limit = 1.01 * curve(at(lowest));
        int first = lowest, last = lowest;
        while (first > 0 && curve(at(first - 1)) <= limit) --first;
        while (last < steps && curve(at(last + 1)) <= limit) ++last;
        best = at(lowest);
        low = at(first);
        high = at(last);
    }
};

inline double between(RandomStream& stream, double low, double high) {
    return low + (high - low) * stream.uniform();
}

// What a shallow network loses and a deep one, with the lowest place at `best`; `loss` is that of one layer
// beside it. Kinds 0 to 5: powers, of which four are no forms of our own; 6: a parabola in ln L.
inline std::function<double(double)> drawn_curve(std::size_t kind, double best, double loss) {
    struct Powers {
        double fall, rise;
    };
    constexpr std::array<Powers, 6> powers{
        {{0.445, 0.166}, {1, 0.5}, {0.7, 0.3}, {1.4, 0.2}, {2, 0.5}, {1, 1}}};
    constexpr double level = 1.5;
    if (kind >= powers.size()) {
        const double bend = std::min(loss / std::pow(std::log(best), 2), 0.05);
        return [=](double depth) { return level * (1 + bend * std::pow(std::log(depth / best), 2)); };
    }
    const auto [fall, rise] = powers[kind];
    const double weight = fall * std::pow(best, -fall) / (rise * std::pow(best, rise));
    const auto shape = [=](double depth) { return std::pow(depth, -fall) + weight * std::pow(depth, rise); };
    const double scale = loss / (shape(1) - shape(best));
    return [=](double depth) { return level * (1 + scale * (shape(depth) - shape(best))); };
}

// The valley of stream number `number`, with deviations of each depth of its own of such a share.
inline DrawnValley drawn_valley(std::uint64_t number, const std::vector<double>& depths, double deviation) {
    RandomStream stream(number, "drawn valley");
    DrawnValley valley;
    valley.shallowest = depths.front();
    valley.deepest = depths.back();
    const double best = std::exp(between(stream, std::log(2), std::log(9)));
    valley.curve = drawn_curve(number % 7, best, between(stream, 0.015, 0.08));
    valley.solve();
    for (const double depth : depths)
        valley.truths.push_back(valley.curve(depth) * (1 + deviation * normal(stream)));
    return valley;
}

// Runs of such depths: each with noise of that share of its value, and an effect of the seed for all.
inline RungTable drawn_rung(const DrawnValley& valley, std::uint64_t number, std::size_t seeds,
                            double noise) {
    RandomStream stream(number, "drawn rung");
    RungTable table;
    std::vector<double> effects;
    for (std::size_t j = 0; j < seeds; ++j) {
        table.seeds.push_back(static_cast<std::int64_t>(j + 1));
        effects.push_back(0.03 * normal(stream));
    }
    for (std::size_t i = 0; i < valley.truths.size(); ++i) {
        table.candidates.push_back("c" + std::to_string(10 + i));
        table.values.emplace_back();
        for (const double effect : effects)
            table.values.back().push_back(valley.truths[i] * (1 + noise * normal(stream)) + effect);
        table.half_widths.push_back(0);
    }
    return table;
}

// Candidates of these depths, as drawn_rung names them; deeper ones cost a little more.
inline Proposal drawn_proposal(const std::vector<double>& depths) {
    Proposal proposal;
    proposal.unit = "byte";
    for (std::size_t i = 0; i < depths.size(); ++i) {
        Candidate candidate;
        candidate.id = "c" + std::to_string(10 + i);
        candidate.family = "transformer";
        candidate.input.name = "bytes";
        candidate.depth = std::llround(depths[i]);
        candidate.width = std::llround(200 / std::sqrt(depths[i]));
        candidate.label = std::to_string(candidate.depth) + " x " + std::to_string(candidate.width);
        candidate.flops_per_unit = 1e6 * (1 + 0.02 * depths[i]);
        candidate.line = 4;
        proposal.candidates.push_back(candidate);
    }
    proposal.favourite = proposal.candidates.front().id;
    return proposal;
}

}  // namespace plimsoll::fit

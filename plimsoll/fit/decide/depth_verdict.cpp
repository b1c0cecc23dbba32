#include "plimsoll/fit/decide/depth_verdict.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "plimsoll/base/format.h"
#include "plimsoll/fit/decide/depths.h"
#include "plimsoll/fit/decide/difference_text.h"
#include "plimsoll/fit/decide/duel.h"
#include "plimsoll/fit/decide/evidence.h"

namespace plimsoll::fit {
namespace {

constexpr double spread_needed = 3;     // deepest over shallowest
constexpr double telling_share = 0.02;  // noise below this share can show that depth does not matter
constexpr double shallow_lines = 0.75;  // a plateau from below the knee on says that depth does not matter

bool spread_enough(const std::map<std::int64_t, std::size_t>& rows) {
    return rows.size() >= depths_needed && static_cast<double>(rows.rbegin()->first) >=
                                               spread_needed * static_cast<double>(rows.begin()->first);
}

bool no_dependence(const DataLook& look) {
    return !look.dependence.by_distance.empty() && look.dependence.reach <= 0;
}

// The depths around the best one that are as good: inside the noise, or less than a hundredth behind.
struct Plateau {
    std::int64_t low, high;
    std::size_t best, worst;  // rows: the best depth and the worst of all
    std::size_t low_row;
    bool whole;  // all depths are on it
};
Plateau plateau_of(const RungTable& table, const RungNoise& noise,
                   const std::map<std::int64_t, std::size_t>& rows, double allowed) {
    auto best = rows.begin(), worst = rows.begin();
    for (auto it = rows.begin(); it != rows.end(); ++it) {
        if (table.lead(it->second, best->second) > 0) best = it;
        if (table.lead(it->second, worst->second) < 0) worst = it;
    }
    const auto as_good = [&](auto it) {
        const Noise both = noise.between(best->second, it->second);
        const double lead = table.lead(best->second, it->second);
        return lead <= std::max(allowed, both.half_width(pairs_of(table.candidates.size())));
    };
    auto low = best, high = best;
    while (low != rows.begin() && as_good(std::prev(low))) --low;
    while (std::next(high) != rows.end() && as_good(std::next(high))) ++high;
    const bool whole = low == rows.begin() && std::next(high) == rows.end();
    return {low->first, high->first, best->second, worst->second, low->second, whole};
}

std::string nothing_learned(const DataLook& look, const std::string& range) {
    if (no_dependence(look)) {
        return fmt::format(
            "Depth does not matter here: nothing in the data depends on anything beyond one symbol, and no "
            "shape "
            "({}) found more than the best constant answer ({:.4g}).",
            range, look.chance);
    }
    return fmt::format(
        "No shape found more than the best constant answer ({:.4g}) yet: the race is too short to say "
        "whether "
        "depth matters.",
        look.chance);
}

double over_knee(const Candidate& one) {
    return one.family == "transformer" ? one.depth_over_knee : one.depth_over_line();
}

DepthVerdict judged(const DataLook& look, const Proposal& proposal, const RungTable& table,
                    const std::map<std::int64_t, std::size_t>& rows) {
    const std::string range = fmt::format("{} to {} layers", rows.begin()->first, rows.rbegin()->first);
    if (!beats_constant(look, table.mean(table.best())))
        return {!no_dependence(look), nothing_learned(look, range)};
    const double scale = negligible(table, look) / negligible_share;
    const RungNoise noise(table);
    const std::size_t pairs = pairs_of(table.candidates.size());
    const Plateau plateau = plateau_of(table, noise, rows, negligible(table, look));
    const double half_width = noise.between(plateau.best, plateau.worst).half_width(pairs);
    const std::string spread = with_noise(table.lead(plateau.best, plateau.worst), half_width, look);
    if (half_width > telling_share * scale && plateau.whole)
        return {true,
                fmt::format("Whether depth matters the race cannot tell: {} differ by {}.", range, spread)};
    if (plateau.whole) {
        return {false, fmt::format("Depth does not matter here: {} differ by {}, {}.", range, spread,
                                   table.lead(plateau.best, plateau.worst) <= half_width ? "inside the noise"
                                                                                         : "less than 1 %")};
    }
    const std::int64_t worst = candidate_of(proposal, table, plateau.worst).depth;
    const std::string as_good =
        plateau.low == plateau.high
            ? ""
            : fmt::format("; {} to {} layers are equally good within the noise or 1 %", plateau.low,
                          plateau.high);
    const bool wide = static_cast<double>(plateau.high) >= spread_needed * static_cast<double>(plateau.low);
    const bool telling = noise.usual().half_width(pairs) <= telling_share * scale;
    if (wide && telling && over_knee(candidate_of(proposal, table, plateau.low_row)) <= shallow_lines) {
        return {false,
                fmt::format("Depth does not matter here from {} to {} layers, which are equally good within "
                            "the noise or 1 %; the worst depth, {}, loses {}.",
                            plateau.low, plateau.high, worst, spread)};
    }
    return {true, fmt::format("Depth matters: the best, {}, beats the worst, {}, by {}{}.",
                              layers(candidate_of(proposal, table, plateau.best).depth), layers(worst),
                              spread, as_good)};
}

}  // namespace

DepthVerdict depth_verdict(const DataLook& look, const Proposal& proposal, const Race& race) {
    for (const int rung : rungs_downwards(race)) {
        const auto table = rung_table(race, rung, look.goal);
        if (!table) continue;
        const auto rows = depth_rows(*table, proposal, *find_candidate(proposal, proposal.favourite));
        if (spread_enough(rows)) return judged(look, proposal, *table, rows);
    }
    return {};
}

}  // namespace plimsoll::fit

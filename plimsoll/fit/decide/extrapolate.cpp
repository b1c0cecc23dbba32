#include "plimsoll/fit/decide/extrapolate.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/decide/compare.h"
#include "plimsoll/fit/propose/field.h"
#include "plimsoll/report/statistics/optimum.h"

namespace plimsoll::fit {
namespace {

constexpr std::int64_t times = 10;
constexpr double widest_known = 4;  // an interval over a larger factor of depth says nothing

// The curve of one rung over depth / line: candidates of the winner's family on one input, of each depth the
// first.
report::SeedCurves depth_curves(const RungTable& table, const Proposal& proposal, const Candidate& winner,
                                const std::string& input) {
    report::SeedCurves curves;
    std::set<std::int64_t> depths;
    for (const auto& candidate : proposal.candidates) {
        const auto row = table.row(candidate.id);
        if (!row || candidate.family != winner.family || candidate.input.name != input) continue;
        if (!depths.insert(candidate.depth).second) continue;
        for (std::size_t j = 0; j < table.seeds.size(); ++j)
            curves[std::to_string(table.seeds[j])][candidate.depth_over_line()] = table.values[*row][j];
    }
    return curves;
}

// The highest rung that has enough depths to show where the best one is: on the winner's input, or else on
// the one that depths were spread on.
std::optional<report::Optimum> best_depth(const DataLook& look, const Proposal& proposal, const Race& race,
                                          const Candidate& winner) {
    const std::string spread_on = find_candidate(proposal, proposal.favourite)->input.name;
    for (const std::string& input : {winner.input.name, spread_on}) {
        for (const int rung : rungs_downwards(race)) {
            const auto table = rung_table(race, rung, look.goal);
            if (!table) continue;
            const auto curves = depth_curves(*table, proposal, winner, input);
            if (curves.empty() || curves.begin()->second.size() < depths_needed) continue;
            return report::best_point(curves, table->lower_is_better, report::Scale::log);
        }
    }
    return std::nullopt;
}

// Why the race cannot tell; empty when it can.
std::string unknown_because(const std::optional<report::Optimum>& best) {
    if (!best) return "fewer than three depths of the winner's family finished on one rung";
    if (!best->interval) return "the rung that has three depths has one seed";
    if (best->open_above) return "deeper shapes than those that raced may be better";
    if (best->open_below) return "shallower shapes than those that raced may be better";
    if (best->interval->high > widest_known * best->interval->low)
        return "the best depth is known to no better than a factor of four";
    return "";
}

std::string line_words(const Candidate& winner) {
    return winner.family == "transformer" ? "the load line" : "log2 C";
}

Tenfold theorys(const Field& field, const std::string& because) {
    const FieldShape& shape = favourite_of(field);
    Tenfold tenfold;
    tenfold.depth = tenfold.depth_low = tenfold.depth_high = shape.depth;
    tenfold.width = shape.width;
    tenfold.sentence = fmt::format(
        "At ten times the budget ({}) this race cannot say what is best: {}; theory's own choice there is {} "
        "x {}.",
        human_count(static_cast<double>(field.maker.budget())), because, shape.depth, shape.width);
    return tenfold;
}

Tenfold carried(const Field& field, const report::Optimum& best, const Candidate& winner) {
    const FieldShape& shape = nearest_to(field, best.x);
    Tenfold tenfold;
    tenfold.known = true;
    tenfold.depth = shape.depth;
    tenfold.width = shape.width;
    tenfold.depth_low = std::min({winner.depth, shape.depth, nearest_to(field, best.interval->low).depth});
    tenfold.depth_high = std::max(shape.depth, nearest_to(field, best.interval->high).depth);
    tenfold.sentence = fmt::format(
        "At ten times the budget ({}) use {} x {}, {} to {} deep: the race's best depth, {:.2f} times {} "
        "({:.2f} to "
        "{:.2f} over seeds), with {} = {:.1f} there; the lower end also allows that depth itself carries "
        "over. This "
        "is an extrapolation, not a measurement.",
        human_count(static_cast<double>(field.maker.budget())), shape.depth, shape.width, tenfold.depth_low,
        tenfold.depth_high, best.x, line_words(winner), best.interval->low, best.interval->high,
        line_words(winner), shape.line);
    return tenfold;
}

}  // namespace

Tenfold extrapolate(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                    const Race& race, const Candidate& winner) {
    const auto field = make_field(winner.family, winner.input, look, times * proposal.budget, request.style);
    if (!field.ok() || field->shapes.empty()) {
        Tenfold none;
        none.sentence = "At ten times the budget no shape of this family could be made.";
        return none;
    }
    const auto best = best_depth(look, proposal, race, winner);
    const std::string because = unknown_because(best);
    return because.empty() ? carried(*field, *best, winner) : theorys(*field, because);
}

}  // namespace plimsoll::fit

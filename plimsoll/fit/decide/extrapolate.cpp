#include "plimsoll/fit/decide/extrapolate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/propose/field.h"

namespace plimsoll::fit {
namespace {

constexpr std::int64_t times = 10;
constexpr double widest_known = 4;  // an interval over a larger factor of depth says nothing

// Depth over the line of the networks of the valley, by the logarithm of depth; straight between them.
class Lines {
  public:
    Lines(const Proposal& proposal, const Valley& valley) {
        for (const auto& candidate : proposal.candidates)
            if (candidate.family == valley.family && candidate.input.name == valley.input)
                lines_[std::log(real(candidate.depth))] = std::log(candidate.depth_over_line());
    }

    [[nodiscard]] double at(double depth) const {
        const double place = std::log(depth);
        auto above = lines_.lower_bound(place);
        if (above == lines_.begin()) return std::exp(above->second);
        if (above == lines_.end()) return std::exp(std::prev(above)->second);
        const auto below = std::prev(above);
        const double share = (place - below->first) / (above->first - below->first);
        return std::exp(below->second + share * (above->second - below->second));
    }

  private:
    std::map<double, double> lines_;
};

// Why the race cannot tell; empty when it can.
std::string unknown_because(const Valley& valley) {
    switch (valley.state) {
        case ValleyState::few_depths:
            return fmt::format("fewer than {} depths of one family and input finished together",
                               curve_depths_needed);
        case ValleyState::noise_unknown:
            return "the rung that decided has one seed";
        case ValleyState::at_deep_end:
            return "deeper shapes than those that raced may be better";
        case ValleyState::at_shallow_end:
            return "shallower shapes than those that raced may be better";
        case ValleyState::known:
        case ValleyState::noise_wide:
            break;
    }
    if (valley.best_high > widest_known * valley.best_low)
        return "the best depth is known to no better than a factor of four";
    return "";
}

std::string line_words(const Candidate& winner) { return std::string(name_of(line_of(winner.family))); }

Tenfold theorys(const Field& field, const std::string& because) {
    const FieldShape& shape = favourite_of(field);
    Tenfold tenfold;
    tenfold.depth = tenfold.depth_low = tenfold.depth_high = shape.depth;
    tenfold.width = shape.width;
    tenfold.sentence = fmt::format(
        "At ten times the budget ({}) this race cannot say what is best: {}; {} choice there is {} x {}.",
        human_count(static_cast<double>(field.maker.budget())), because,
        field.maker.line() == Line::usual ? "the usual" : "theory's own", shape.depth, shape.width);
    return tenfold;
}

Tenfold carried(const Field& field, const Valley& valley, const Lines& lines, const Candidate& winner) {
    const double best = lines.at(valley.best), low = lines.at(valley.best_low),
                 high = lines.at(valley.best_high);
    const FieldShape& shape = nearest_to(field, best);
    Tenfold tenfold;
    tenfold.known = true;
    tenfold.depth = shape.depth;
    tenfold.width = shape.width;
    tenfold.depth_low = std::min({winner.depth, shape.depth, nearest_to(field, low).depth});
    tenfold.depth_high = std::max(shape.depth, nearest_to(field, high).depth);
    tenfold.sentence = fmt::format(
        "At ten times the budget ({}) use {} x {}, {} to {} deep: the race's best depth, {:.2f} times {} "
        "({:.2f} to {:.2f}, 95 %), with {} = {:.1f} there; the lower end also allows that depth itself "
        "carries "
        "over. This is an extrapolation, not a measurement.",
        human_count(static_cast<double>(field.maker.budget())), shape.depth, shape.width, tenfold.depth_low,
        tenfold.depth_high, best, line_words(winner), low, high, line_words(winner), shape.line);
    return tenfold;
}

}  // namespace

Tenfold extrapolate(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                    const Valley& valley, const Candidate& winner) {
    const auto field = field_for(request, winner.family, winner.input, look, times * proposal.budget);
    if (!field.ok() || field->shapes.empty()) {
        Tenfold none;
        none.sentence = "At ten times the budget no shape of this family could be made.";
        return none;
    }
    const std::string because = unknown_because(valley);
    return because.empty() ? carried(*field, valley, Lines(proposal, valley), winner)
                           : theorys(*field, because);
}

}  // namespace plimsoll::fit

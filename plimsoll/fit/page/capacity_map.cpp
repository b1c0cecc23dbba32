#include "plimsoll/fit/page/capacity_map.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "plimsoll/advise/scanned_shapes.h"
#include "plimsoll/advise/shape_capacity.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/fit/page/words.h"
#include "plimsoll/fit/propose/assess.h"
#include "plimsoll/fit/propose/field.h"
#include "plimsoll/report/vega/depth_width_map.h"

namespace plimsoll::fit {
namespace {

constexpr int columns = 72;            // of the capacity field
constexpr double steps_per_power = 2;  // contours at half powers of ten
constexpr double room = 1.35;          // beyond the outermost networks

class CapacityMap {
  public:
    CapacityMap(const FitPageInput& input, const PageRoles& roles)
        : input_(input),
          roles_(roles),
          winner_(*find_candidate(input.proposal, input.decision.winner)),
          request_(request_for(winner_.family, winner_.input, input.look, input.proposal.budget)),
          layout_(layout_of(winner_.spec, winner_.input)) {
        for (const auto& candidate : input.proposal.candidates)
            if (candidate.family == winner_.family) shown_.push_back(&candidate);
        set_frame();
    }

    [[nodiscard]] Result<report::DepthWidthMap> drawing() const {
        const auto window = advise::window_at(request_, layout_);
        report::DepthWidthMap map;
        map.title = "Where the networks lie: the load line, the budget, and capacity behind them";
        map.subtitle = "Each symbol is one network of the race.";
        map.width_title = winner_.family == "transformer" ? "width d" : "channels C";
        map.frame = frame_;
        map.contours = contours();
        map.line = line();
        map.line_name = winner_.family == "transformer" ? "the load line" : "log2 C";
        map.line_end.width = frame_.high_width / 1.03;
        map.line_end.depth = line_at(map.line_end.width);
        map.band_low = window.band_low;
        map.band_high = window.band_high;
        PLIMSOLL_ASSIGN(paid, budget());
        map.budget = std::move(paid);
        map.roles = point_roles(roles_, shown_);
        map.networks = networks();
        return map;
    }

    [[nodiscard]] std::vector<std::string> notes() const {
        std::vector<std::string> notes{fmt::format(
            "Darker is more capacity, a contour at every half power of ten (log3 of the repaired bound, {} "
            "with "
            "{}); the band is the valley at this size for a transformer, Navon's window for a mixer.",
            winner_.family, winner_.input.name)};
        const std::size_t absent = input_.proposal.candidates.size() - shown_.size();
        if (absent > 0)
            notes.push_back(
                fmt::format("{} network{} of other families {} not drawn: their line is another one.", absent,
                            absent == 1 ? "" : "s", absent == 1 ? "is" : "are"));
        return notes;
    }

  private:
    void set_frame() {
        double deepest = 1, wide = 1, narrow = real(winner_.width);
        for (const Candidate* candidate : shown_) {
            deepest = std::max(deepest, real(candidate->depth));
            wide = std::max(wide, real(candidate->width));
            narrow = std::min(narrow, real(candidate->width));
        }
        const double line = 2.2 * line_at(wide);
        frame_ = {std::floor(narrow / room), std::ceil(wide * room), 0.8,
                  std::min(256.0, std::max(deepest, line) * room)};
    }

    [[nodiscard]] advise::Layout layout_at(double depth, double width) const {
        advise::Layout layout = layout_;
        layout.depth = std::max<std::int64_t>(1, std::llround(depth));
        layout.width = std::max<std::int64_t>(2, std::llround(width));
        return layout;
    }
    [[nodiscard]] double line_at(double width) const {
        if (request_.family == advise::AdviceFamily::mixer) return std::log2(std::max(2.0, width));
        return advise::line_depth(width);
    }
    [[nodiscard]] double width_at(int column) const {
        return frame_.low_width * std::pow(frame_.high_width / frame_.low_width, real(column) / columns);
    }

    // ---- capacity ----
    [[nodiscard]] double power_at(std::int64_t depth, double width) const {
        const double capacity = advise::layout_capacity(request_, layout_at(real(depth), width));
        return std::log10(std::max(1.0, capacity));
    }
    // The powers of ten of each depth's capacity at one width.
    [[nodiscard]] std::vector<double> column_at(double width) const {
        std::vector<double> powers;
        for (std::int64_t depth = 1; real(depth - 1) < frame_.high_depth; ++depth)
            powers.push_back(power_at(depth, width));
        return powers;
    }
    // The depth at which a column reaches a power, straight between whole depths; beyond the frame when it
    // does not.
    [[nodiscard]] double depth_of(const std::vector<double>& powers, double power) const {
        if (powers.front() >= power)
            return std::max(frame_.low_depth, 1 - (powers.front() - power) / (powers[1] - powers[0]));
        for (std::size_t i = 1; i < powers.size(); ++i)
            if (powers[i] >= power)
                return static_cast<double>(i) + (power - powers[i - 1]) / (powers[i] - powers[i - 1]);
        return 2 * frame_.high_depth;
    }
    // One contour for each half power of ten.
    [[nodiscard]] std::vector<report::MapContour> contours() const {
        std::map<double, std::vector<double>> plane;
        double least = 1e300, most = 0;
        for (int column = 0; column <= columns; ++column) {
            const auto& powers = plane[std::round(width_at(column))] =
                column_at(std::round(width_at(column)));
            least = std::min(least, powers.front());
            most = std::max(most, powers.back());
        }
        std::vector<report::MapContour> all;
        for (double power = std::ceil(least * steps_per_power) / steps_per_power; power <= most;
             power += 1 / steps_per_power) {
            report::MapContour contour{power, {}};
            for (const auto& [width, powers] : plane)
                contour.places.push_back({width, std::min(depth_of(powers, power), frame_.high_depth)});
            all.push_back(std::move(contour));
        }
        return all;
    }

    // ---- the line, the budget, the networks ----
    [[nodiscard]] std::vector<report::MapPoint> line() const {
        std::vector<report::MapPoint> places;
        for (int column = 0; column <= columns; ++column)
            places.push_back({width_at(column), line_at(width_at(column))});
        return places;
    }
    [[nodiscard]] Result<std::vector<std::pair<std::int64_t, std::int64_t>>> budget() const {
        PLIMSOLL_ASSIGN(field, field_for(input_.request, winner_.family, winner_.input, input_.look,
                                         input_.proposal.budget));
        std::vector<std::pair<std::int64_t, std::int64_t>> paid;
        for (const auto& shape : field.shapes)
            if (real(shape.depth) <= frame_.high_depth && real(shape.width) >= frame_.low_width &&
                real(shape.width) <= frame_.high_width)
                paid.emplace_back(shape.width, shape.depth);
        return paid;
    }
    // The recommendation last, so that it lies on top.
    [[nodiscard]] std::vector<report::MapNetwork> networks() const {
        std::vector<report::MapNetwork> all;
        const auto add = [&](const Candidate& c) {
            all.push_back(
                {c.width, c.depth, roles_.of(c), page_words(c.label), c.capacity, c.depth_over_line()});
        };
        for (const Candidate* candidate : shown_)
            if (candidate->id != winner_.id) add(*candidate);
        add(winner_);
        return all;
    }

    const FitPageInput& input_;
    const PageRoles& roles_;
    const Candidate& winner_;
    advise::AdviceRequest request_;
    advise::Layout layout_;
    std::vector<const Candidate*> shown_;
    report::MapFrame frame_;
};

}  // namespace

Result<report::Figure> capacity_map(const FitPageInput& input, const PageRoles& roles) {
    const CapacityMap capacity(input, roles);
    PLIMSOLL_ASSIGN(map, capacity.drawing());
    return report::Figure{"map", map.title, report::map_vega(map), capacity.notes()};
}

}  // namespace plimsoll::fit

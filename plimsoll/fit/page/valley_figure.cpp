#include "plimsoll/fit/page/valley_figure.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/fit/decide/compare.h"
#include "plimsoll/fit/page/words.h"
#include "plimsoll/report/vega/depth_valley.h"

namespace plimsoll::fit {
namespace {

// Values further than so many times the 1 % from the best would press the valley flat; they are not drawn.
constexpr double most_heights = 8;
constexpr double headroom = 0.08;  // of the axis, on both sides

class ValleyPainter {
  public:
    ValleyPainter(const FitPageInput& input, const PageRoles& roles)
        : input_(input), roles_(roles), valley_(input.decision.valley), measure_(measure_of(input.look)) {
        collect_points();
    }

    [[nodiscard]] report::DepthValley drawing() {
        report::DepthValley figure;
        figure.title = valley_.known() ? fmt::format("{} cost at most {} more than the best depth",
                                                     range_words(valley_), allowed())
                                       : "Held-out value against depth, at the rung that decided";
        figure.subtitle = subtitle();
        figure.value_title = measure_.title;
        figure.value_unit = measure_.unit;
        figure.roles = point_roles(roles_, shown_);
        figure.points = points_;
        add_curve(figure);
        set_expected(figure);
        set_axis(figure);
        return figure;
    }

    [[nodiscard]] std::vector<std::string> notes() const {
        std::vector<std::string> notes;
        if (far_ > 0)
            notes.push_back(fmt::format("{} {} too far from the others to be drawn here", far_,
                                        far_ == 1 ? "run is" : "runs are"));
        if (!valley_.known()) notes.push_back(page_words(valley_.sentence));
        if (elsewhere_ > 0)
            notes.push_back(fmt::format(
                "{} other {} on another input or of another family; the curve is that "
                "of {} on {}",
                elsewhere_, elsewhere_ == 1 ? "network is" : "networks are", valley_.family, valley_.input));
        return notes;
    }

  private:
    [[nodiscard]] std::string allowed() const { return is_share(input_.look.goal) ? "1 point" : "1 %"; }
    [[nodiscard]] std::string subtitle() const {
        const std::string points = "Symbols: means over seeds; small: single runs.";
        if (!valley_.drawn()) return points;
        return points + (valley_.joined
                             ? " Lines: straight between the means, as no smooth curve fits."
                             : " Curve: smooth through the means, with its 95 % band; bar: where the "
                               "best depth may be.");
    }

    void collect_points() {
        const auto counted = counted_runs(input_.race, input_.decision.rung, input_.look.goal);
        std::vector<report::DepthValleyPoint> on_top;
        for (const auto& [id, runs] : counted) {
            const Candidate* candidate = find_candidate(input_.proposal, id);
            if (candidate == nullptr) continue;
            shown_.push_back(candidate);
            elsewhere_ += candidate->family != valley_.family || candidate->input.name != valley_.input;
            auto& into = id == input_.decision.winner ? on_top : points_;
            double mean = 0;
            for (const RaceEntry* run : runs) {
                into.push_back(point(*candidate, false, run->value));
                mean += run->value / static_cast<double>(runs.size());
            }
            into.push_back(point(*candidate, true, mean));
        }
        points_.insert(points_.end(), on_top.begin(), on_top.end());
    }
    [[nodiscard]] report::DepthValleyPoint point(const Candidate& candidate, bool mean, double value) const {
        return {mean, roles_.of(candidate), page_words(candidate.label), candidate.depth,
                measure_.scale * value};
    }

    [[nodiscard]] bool lower_is_better() const { return !is_share(input_.look.goal); }
    // The best place of the curve, or the best mean where there is none.
    [[nodiscard]] double best_value() const {
        std::vector<double> values;
        for (const auto& at : valley_.curve) values.push_back(measure_.scale * at.value);
        if (values.empty())
            for (const auto& point : points_)
                if (point.mean) values.push_back(point.value);
        if (values.empty()) return 0;
        return lower_is_better() ? std::ranges::min(values) : std::ranges::max(values);
    }
    [[nodiscard]] double level() const {
        return best_value() + (lower_is_better() ? 1 : -1) * measure_.scale * valley_.allowed;
    }

    void add_curve(report::DepthValley& figure) const {
        for (const auto& at : valley_.curve)
            figure.curve.push_back(
                {at.depth, measure_.scale * at.value, measure_.scale * at.low, measure_.scale * at.high});
        if (!valley_.drawn()) return;
        figure.best = report::DepthRange{valley_.best_low, valley_.best_high,
                                         fmt::format("best depth {:.2g}, 95 %: {:.2g} to {:.2g}",
                                                     valley_.best, valley_.best_low, valley_.best_high)};
        if (!valley_.known()) return;
        figure.level = level();
        figure.valley =
            report::DepthRange{valley_.low, valley_.high, fmt::format("at most {} from the best", allowed())};
    }
    // The band of the load line, where depths of its family are shown.
    void set_expected(report::DepthValley& figure) const {
        const Candidate* favourite = find_candidate(input_.proposal, input_.proposal.favourite);
        if (favourite == nullptr || favourite->family != valley_.family || input_.proposal.expected_high < 1)
            return;
        const auto low = static_cast<double>(input_.proposal.expected_low),
                   high = static_cast<double>(input_.proposal.expected_high);
        figure.expected = report::DepthRange{low - 0.4, high + 0.4, "expected by theory"};
    }
    void set_axis(report::DepthValley& figure) {
        const double best = best_value(),
                     far = most_heights * measure_.scale * std::max(valley_.allowed, 1e-9);
        double least = best, most = best;
        for (const auto& point : points_) {
            if (std::abs(point.value - best) > far) continue;
            least = std::min(least, point.value);
            most = std::max(most, point.value);
        }
        far_ = std::ranges::count_if(
            points_, [&](const auto& point) { return !point.mean && std::abs(point.value - best) > far; });
        if (figure.valley) {
            least = std::min(least, figure.level);
            most = std::max(most, figure.level);
        }
        const double around = headroom * std::max(most - least, 1e-9);
        figure.least = least - around;
        figure.most = most + around;
    }

    const FitPageInput& input_;
    const PageRoles& roles_;
    const Valley& valley_;
    Measure measure_;
    std::vector<report::DepthValleyPoint> points_;
    std::vector<const Candidate*> shown_;
    std::ptrdiff_t far_ = 0, elsewhere_ = 0;
};

}  // namespace

report::Figure valley_figure(const FitPageInput& input, const PageRoles& roles) {
    ValleyPainter painter(input, roles);
    const report::DepthValley drawing = painter.drawing();
    return {"valley", drawing.title, report::depth_valley_vega(drawing), painter.notes()};
}

}  // namespace plimsoll::fit

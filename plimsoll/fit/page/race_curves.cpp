#include "plimsoll/fit/page/race_curves.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "plimsoll/base/format.h"
#include "plimsoll/fit/decide/compare.h"
#include "plimsoll/fit/page/words.h"
#include "plimsoll/report/vega/race_figure.h"

namespace plimsoll::fit {
namespace {

constexpr double settled_share = 0.1;  // of a run; before that every curve is steep and hides the rest

// Means over the seeds of one candidate on one rung.
struct RungLine {
    const Candidate* candidate = nullptr;
    int rung = 0;
    double units = 0, value = 0;  // at the end
    std::size_t seeds = 0;
    std::vector<std::pair<double, double>> course;  // units and value, within the runs
};

// The places that every seed has, with the mean of their values.
std::vector<std::pair<double, double>> mean_course(const std::vector<const RaceEntry*>& runs, double end) {
    std::map<double, std::pair<double, std::size_t>> sums;
    for (const RaceEntry* run : runs)
        for (const auto& [units, value] : run->curve) {
            if (!std::isfinite(value) || units < settled_share * end) continue;
            sums[units].first += value;
            ++sums[units].second;
        }
    std::vector<std::pair<double, double>> course;
    for (const auto& [units, sum] : sums)
        if (sum.second == runs.size())
            course.emplace_back(units, sum.first / static_cast<double>(sum.second));
    return course;
}

RungLine rung_line(const Candidate& candidate, int rung, const std::vector<const RaceEntry*>& runs) {
    RungLine line{&candidate, rung, 0, 0, runs.size(), {}};
    for (const RaceEntry* run : runs) {
        line.units += run->units_seen / static_cast<double>(runs.size());
        line.value += run->value / static_cast<double>(runs.size());
    }
    line.course = mean_course(runs, line.units);
    return line;
}

// The recommendation last, so that it lies on top.
std::vector<RungLine> lines_of(const FitPageInput& input) {
    std::vector<RungLine> lines;
    for (const int rung : rungs_downwards(input.race))
        for (const auto& [id, runs] : counted_runs(input.race, rung, input.look.goal))
            if (const Candidate* candidate = find_candidate(input.proposal, id))
                lines.push_back(rung_line(*candidate, rung, runs));
    std::ranges::stable_partition(
        lines, [&](const RungLine& line) { return line.candidate->id != input.decision.winner; });
    return lines;
}

class RaceCurves {
  public:
    RaceCurves(const FitPageInput& input, const PageRoles& roles)
        : input_(input), roles_(roles), measure_(measure_of(input.look)), lines_(lines_of(input)) {}

    [[nodiscard]] report::RaceFigure drawing() const {
        report::RaceFigure race;
        race.title = "The race: what each network reached, and after how much training";
        race.subtitle =
            "Symbols: mean over seeds at the end of a rung, joined over rungs; faint lines: on "
            "the way.";
        race.x_title = input_.look.unit + " trained on";
        race.x_unit = input_.look.unit;
        race.y_title = measure_.title;
        race.y_unit = measure_.unit;
        race.roles = point_roles(roles_, shown());
        race.points = points();
        return race;
    }

    [[nodiscard]] std::vector<std::string> notes() const {
        const auto running = std::ranges::count_if(
            input_.race.entries, [](const RaceEntry& entry) { return entry.state != EntryState::done; });
        std::vector<std::string> notes;
        if (running > 0)
            notes.push_back(fmt::format("{} {} no value and {} not drawn", running,
                                        running == 1 ? "run has" : "runs have", running == 1 ? "is" : "are"));
        return notes;
    }

  private:
    [[nodiscard]] report::RacePoint point(const RungLine& line, bool at_end, double units,
                                          double value) const {
        return {at_end,
                roles_.of(*line.candidate),
                page_words(line.candidate->label),
                line.candidate->id,
                fmt::format("{}/{}", line.candidate->id, line.rung),
                line.rung + 1,
                line.seeds,
                units,
                measure_.scale * value};
    }
    [[nodiscard]] std::vector<report::RacePoint> points() const {
        std::vector<report::RacePoint> all;
        for (const RungLine& line : lines_) {
            if (line.units <= 0) continue;
            all.push_back(point(line, true, line.units, line.value));
            if (line.course.size() < 2) continue;
            for (const auto& [units, value] : line.course)
                if (units > 0) all.push_back(point(line, false, units, value));
        }
        return all;
    }
    [[nodiscard]] std::vector<const Candidate*> shown() const {
        std::vector<const Candidate*> candidates;
        for (const RungLine& line : lines_) candidates.push_back(line.candidate);
        return candidates;
    }

    const FitPageInput& input_;
    const PageRoles& roles_;
    Measure measure_;
    std::vector<RungLine> lines_;
};

}  // namespace

report::Figure race_curves(const FitPageInput& input, const PageRoles& roles) {
    const RaceCurves curves(input, roles);
    const report::RaceFigure race = curves.drawing();
    return {"race", race.title, report::race_vega(race), curves.notes()};
}

}  // namespace plimsoll::fit

#include "plimsoll/fit/page/race_curves.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "plimsoll/base/format.h"
#include "plimsoll/fit/decide/compare.h"
#include "plimsoll/fit/page/words.h"
#include "plimsoll/report/vega/theme.h"
#include "plimsoll/report/vega/vega_axes.h"

namespace plimsoll::fit {
namespace {

using report::styled_mark;

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

Json axis(const std::string& title, Json scale, bool on_y) {
    Json axis = Json::object();
    if (on_y)
        axis = {{"titleAngle", 0},           {"titleAlign", "left"}, {"titleAnchor", "end"},
                {"titleBaseline", "bottom"}, {"titleX", 0},          {"titleY", -8}};
    else
        axis = {{"labelExpr", "replace(format(datum.value, '~s'), 'G', 'B')"}};
    return {{"field", on_y ? "y" : "x"},
            {"type", "quantitative"},
            {"title", title},
            {"scale", std::move(scale)},
            {"axis", std::move(axis)}};
}

class RaceFigure {
  public:
    RaceFigure(const FitPageInput& input, const PageRoles& roles)
        : input_(input), roles_(roles), measure_(measure_of(input.look)), lines_(lines_of(input)) {}

    report::Figure figure() {
        const std::string title = "The race: what each network reached, and after how much training";
        const std::string how =
            "Symbols: mean over seeds at the end of a rung, joined over rungs; faint lines: on "
            "the way.";
        Json spec{{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
                  {"description", title},
                  {"title", {{"text", title}, {"subtitle", how}}},
                  {"width", 560},
                  {"height", 340},
                  {"data", {{"values", values()}}},
                  {"layer", layers()},
                  {"config", report::vega_config(report::Theme::light)}};
        return {"race", title, std::move(spec), notes()};
    }

  private:
    [[nodiscard]] Json row(const RungLine& line, const char* kind, double units, double value) const {
        return {{"kind", kind},
                {"role", roles_.of(*line.candidate)},
                {"network", page_words(line.candidate->label)},
                {"id", line.candidate->id},
                {"course", fmt::format("{}/{}", line.candidate->id, line.rung)},
                {"rung", line.rung + 1},
                {"seeds", line.seeds},
                {"x", units},
                {"y", measure_.scale * value}};
    }
    [[nodiscard]] Json values() const {
        Json all = Json::array();
        for (const RungLine& line : lines_) {
            if (line.units <= 0) continue;
            all.push_back(row(line, "end", line.units, line.value));
            if (line.course.size() < 2) continue;
            for (const auto& [units, value] : line.course)
                if (units > 0) all.push_back(row(line, "course", units, value));
        }
        return all;
    }
    [[nodiscard]] Json layer(const char* kind, Json mark, const char* detail) const {
        Json encoding{{"x", axis(input_.look.unit + " trained on",
                                 {{"type", "log"}, {"nice", false}, {"padding", 12}}, false)},
                      {"y", axis(measure_.title, {{"zero", false}}, true)},
                      {"color", role_channel(roles_, shown(), false)}};
        if (detail != nullptr) encoding["detail"] = {{"field", detail}, {"type", "nominal"}};
        return {{"transform", Json::array({{{"filter", fmt::format("datum.kind === '{}'", kind)}}})},
                {"mark", std::move(mark)},
                {"encoding", std::move(encoding)}};
    }
    [[nodiscard]] Json layers() const {
        Json faint = styled_mark("line", "line"), joined = faint;
        faint.update({{"strokeWidth", 1}, {"opacity", 0.35}});
        joined.update({{"strokeWidth", 1.6}, {"opacity", 0.6}});
        Json symbols = layer("end", styled_mark("point", "mean"), nullptr);
        symbols["encoding"]["shape"] = role_channel(roles_, shown(), true);
        Json ground = symbols;
        ground["mark"] = styled_mark("point", "ground");
        ground["encoding"].erase("color");
        symbols["encoding"]["tooltip"] = tips();
        return Json::array({layer("course", faint, "course"), layer("end", joined, "id"), ground, symbols});
    }
    [[nodiscard]] Json tips() const {
        Json tips = Json::array();
        for (const char* name : {"network", "role", "rung", "seeds"})
            tips.push_back({{"field", name}, {"type", "nominal"}});
        tips.push_back(
            {{"field", "x"}, {"type", "quantitative"}, {"title", input_.look.unit}, {"format", ".3~s"}});
        tips.push_back(
            {{"field", "y"}, {"type", "quantitative"}, {"title", measure_.unit}, {"format", ".5~g"}});
        return tips;
    }
    [[nodiscard]] std::vector<std::string> shown() const {
        std::vector<std::string> names;
        for (const RungLine& line : lines_) names.push_back(roles_.of(*line.candidate));
        return names;
    }
    [[nodiscard]] std::vector<std::string> notes() const {
        const auto running = std::ranges::count_if(
            input_.race.entries, [](const RaceEntry& entry) { return entry.state != "done"; });
        std::vector<std::string> notes;
        if (running > 0)
            notes.push_back(fmt::format("{} {} no value and {} not drawn", running,
                                        running == 1 ? "run has" : "runs have", running == 1 ? "is" : "are"));
        return notes;
    }

    const FitPageInput& input_;
    const PageRoles& roles_;
    Measure measure_;
    std::vector<RungLine> lines_;
};

}  // namespace

report::Figure race_curves(const FitPageInput& input, const PageRoles& roles) {
    return RaceFigure(input, roles).figure();
}

}  // namespace plimsoll::fit

#include "plimsoll/fit/page/capacity_map.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "plimsoll/advise/candidates.h"
#include "plimsoll/advise/shape_capacity.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/fit/page/words.h"
#include "plimsoll/fit/propose/assess.h"
#include "plimsoll/fit/propose/field.h"
#include "plimsoll/report/vega/theme.h"
#include "plimsoll/report/vega/vega_axes.h"
#include "plimsoll/theory/capacity/fast_capacity.h"

namespace plimsoll::fit {
namespace {

using report::styled_mark;

constexpr int columns = 72;            // of the capacity field
constexpr double steps_per_power = 2;  // contours at half powers of ten
constexpr double room = 1.35;          // beyond the outermost networks
constexpr double strength = 0.11;      // of one contour's colour
constexpr int map_height = 420;

// The part of the plane that is drawn.
struct Frame {
    double low_width = 0, high_width = 0, low_depth = 0, high_depth = 0;
};

class Map {
  public:
    Map(const FitPageInput& input, const PageRoles& roles)
        : input_(input),
          roles_(roles),
          winner_(*find_candidate(input.proposal, input.decision.winner)),
          request_(request_for(winner_.family, winner_.input, input.look, input.proposal.budget)),
          layout_(layout_of(winner_.spec, winner_.input)) {
        for (const auto& candidate : input.proposal.candidates)
            if (candidate.family == winner_.family) shown_.push_back(&candidate);
        set_frame();
    }

    Result<report::Figure> figure() {
        PLIMSOLL_ASSIGN(budget, budget_layer());
        Json layers = water_layers();
        for (auto&& layer : {band_layer(), line_layer(), budget}) layers.push_back(layer);
        for (auto&& caption : captions()) layers.push_back(caption);
        for (auto&& symbols : point_layers()) layers.push_back(symbols);
        for (const char* style : {"halo", "advice-caption"}) layers.push_back(name_layer(style));
        return report::Figure{"map", title(), whole(layers), notes()};
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
        return theory::fast::knee_depth(width, real(request_.context));
    }
    [[nodiscard]] double width_at(int column) const {
        return frame_.low_width * std::pow(frame_.high_width / frame_.low_width, real(column) / columns);
    }

    // ---- scales ----
    [[nodiscard]] static Json ticks(const std::vector<double>& all, double low, double high) {
        Json values = Json::array();
        for (const double tick : all)
            if (tick >= low && tick <= high) values.push_back(tick);
        return values;
    }
    [[nodiscard]] Json width_channel(const char* field) const {
        std::vector<double> all;
        for (double power = 4; power < 1e6; power *= 2) all.insert(all.end(), {power, 1.5 * power});
        if (frame_.high_width / frame_.low_width > 16)
            std::erase_if(all, [](double tick) { return std::exp2(std::round(std::log2(tick))) != tick; });
        return {{"field", field},
                {"type", "quantitative"},
                {"title", winner_.family == "transformer" ? "width d" : "channels C"},
                {"scale",
                 {{"type", "log"},
                  {"base", 2},
                  {"nice", false},
                  {"domain", {frame_.low_width, frame_.high_width}}}},
                {"axis",
                 {{"values", ticks(all, frame_.low_width, frame_.high_width)},
                  {"format", ",.12~g"},
                  {"grid", false}}}};
    }
    [[nodiscard]] Json depth_channel(const char* field) const {
        const std::vector<double> all{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};
        return {{"field", field},
                {"type", "quantitative"},
                {"title", "depth, deeper downward"},
                {"scale",
                 {{"type", "log"},
                  {"base", 2},
                  {"nice", false},
                  {"reverse", true},
                  {"domain", {frame_.low_depth, frame_.high_depth}}}},
                {"axis",
                 {{"values", ticks(all, frame_.low_depth, frame_.high_depth)},
                  {"grid", false},
                  {"titleAngle", 0},
                  {"titleAlign", "left"},
                  {"titleAnchor", "end"},
                  {"titleBaseline", "bottom"},
                  {"titleX", 0},
                  {"titleY", -8}}}};
    }
    [[nodiscard]] Json place() const { return {{"x", width_channel("x")}, {"y", depth_channel("y")}}; }

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
    // One area for each half power of ten, from where it is reached downwards: they add up to the depth of
    // colour.
    [[nodiscard]] Json water_layers() const {
        std::map<double, std::vector<double>> plane;
        double least = 1e300, most = 0;
        for (int column = 0; column <= columns; ++column) {
            const auto& powers = plane[std::round(width_at(column))] =
                column_at(std::round(width_at(column)));
            least = std::min(least, powers.front());
            most = std::max(most, powers.back());
        }
        Json layers = Json::array();
        for (double power = std::ceil(least * steps_per_power) / steps_per_power; power <= most;
             power += 1 / steps_per_power)
            add_contour(layers, plane, power);
        return layers;
    }
    void add_contour(Json& layers, const std::map<double, std::vector<double>>& plane, double power) const {
        Json values = Json::array();
        for (const auto& [width, powers] : plane)
            values.push_back({{"x", width},
                              {"y", std::min(depth_of(powers, power), frame_.high_depth)},
                              {"y2", frame_.high_depth}});
        Json encoding = place(), area = styled_mark("area", "water"), line = styled_mark("line", "contour");
        area.update({{"clip", true}, {"opacity", strength}});
        line["clip"] = true;
        layers.push_back({{"data", {{"values", values}}}, {"mark", line}, {"encoding", encoding}});
        encoding["y2"] = {{"field", "y2"}};
        layers.push_back({{"data", {{"values", values}}}, {"mark", area}, {"encoding", encoding}});
        if (std::floor(power) == power) label_contour(layers, depth_of(plane.begin()->second, power), power);
    }
    // At the left, just below its line.
    void label_contour(Json& layers, double depth, double power) const {
        if (depth < 1 || depth > frame_.high_depth / 1.1) return;
        layers.push_back(caption(frame_.low_width * 1.02, depth, fmt::format("10^{:g}", power), "left", 3,
                                 "contour-caption"));
    }

    // ---- the line, its band, the budget ----
    [[nodiscard]] Json curve(double low, double high) const {
        Json values = Json::array();
        for (int column = 0; column <= columns; ++column) {
            const double line = line_at(width_at(column));
            values.push_back({{"x", width_at(column)}, {"y", low * line}, {"y2", high * line}});
        }
        return {{"values", values}};
    }
    [[nodiscard]] Json line_layer() const {
        Json mark = styled_mark("line", "load-line");
        mark["clip"] = true;
        return {{"data", curve(1, 1)}, {"mark", mark}, {"encoding", place()}};
    }
    [[nodiscard]] Json band_layer() const {
        const auto window = advise::window_of(request_.family);
        Json encoding = place();
        encoding["y2"] = {{"field", "y2"}};
        Json mark = styled_mark("area", "window");
        mark.update({{"clip", true}, {"opacity", 0.28}});
        return {{"data", curve(window.band_low, window.band_high)}, {"mark", mark}, {"encoding", encoding}};
    }
    Result<Json> budget_layer() {
        PLIMSOLL_ASSIGN(field,
                        make_field(winner_.family, winner_.input, input_.look, input_.proposal.budget));
        Json values = Json::array();
        for (const auto& shape : field.shapes)
            if (real(shape.depth) <= frame_.high_depth && real(shape.width) >= frame_.low_width &&
                real(shape.width) <= frame_.high_width)
                values.push_back({{"x", shape.width}, {"y", shape.depth}});
        if (!values.empty()) budget_end_ = values.front();
        Json encoding = place();
        encoding["order"] = {{"field", "y"}, {"type", "quantitative"}};
        Json mark = styled_mark("line", "budget");
        mark.update({{"clip", true}, {"strokeWidth", 1.4}});
        return Json{{"data", {{"values", values}}}, {"mark", mark}, {"encoding", encoding}};
    }
    [[nodiscard]] Json caption(double x, double y, const std::string& text, const char* align, int dy,
                               const char* style) const {
        Json mark = styled_mark("text", style);
        mark.update({{"align", align}, {"baseline", dy < 0 ? "bottom" : "top"}, {"dy", dy}, {"dx", 0}});
        Json encoding = place();
        encoding["text"] = {{"field", "label"}, {"type", "nominal"}};
        return {{"data", {{"values", Json::array({{{"x", x}, {"y", y}, {"label", text}}})}}},
                {"mark", mark},
                {"encoding", encoding}};
    }
    // At the right end, where the line is flat and networks are few.
    [[nodiscard]] Json captions() const {
        const auto window = advise::window_of(request_.family);
        const double x = frame_.high_width / 1.03, line = line_at(x);
        const std::string name = winner_.family == "transformer" ? "the knee T" : "log2 C";
        Json all = Json::array({caption(x, line, name, "right", -4, "caption"),
                                caption(x, window.band_high * line, "where theory expects the best", "right",
                                        4, "window-caption")});
        if (budget_end_.is_object())
            all.push_back(caption(budget_end_.at("x").get<double>() / 1.06, budget_end_.at("y"),
                                  "this budget", "right", 3, "budget-caption"));
        return all;
    }

    // ---- networks ----
    [[nodiscard]] std::vector<std::string> shown_roles() const {
        std::vector<std::string> names;
        for (const Candidate* candidate : shown_) names.push_back(roles_.of(*candidate));
        return names;
    }
    // The recommendation last, so that it lies on top.
    [[nodiscard]] Json points() const {
        Json values = Json::array();
        const auto add = [&](const Candidate& c) {
            values.push_back({{"x", c.width},
                              {"y", c.depth},
                              {"role", roles_.of(c)},
                              {"network", page_words(c.label)},
                              {"capacity", c.capacity},
                              {"lines", c.depth_over_line()}});
        };
        for (const Candidate* candidate : shown_)
            if (candidate->id != winner_.id) add(*candidate);
        add(winner_);
        return {{"values", values}};
    }
    [[nodiscard]] Json point_layers() const {
        Json encoding = place();
        encoding["shape"] = role_channel(roles_, shown_roles(), true);
        Json ground{{"data", points()}, {"mark", styled_mark("point", "ground")}, {"encoding", encoding}};
        encoding["color"] = role_channel(roles_, shown_roles(), false);
        encoding["tooltip"] = Json::array(
            {{{"field", "network"}, {"type", "nominal"}},
             {{"field", "role"}, {"type", "nominal"}},
             {{"field", "capacity"}, {"type", "quantitative"}, {"format", ".4~g"}},
             {{"field", "lines"}, {"type", "quantitative"}, {"title", "depth / line"}, {"format", ".3~g"}}});
        Json symbols{{"data", points()}, {"mark", styled_mark("point", "mean")}, {"encoding", encoding}};
        return Json::array({ground, symbols});
    }
    [[nodiscard]] Json name_layer(const char* style) const {
        Json name =
            caption(real(winner_.width), real(winner_.depth),
                    page_words(fmt::format("{} x {}", winner_.depth, winner_.width)), "left", 0, style);
        name["mark"].update({{"dx", 14}, {"dy", -6}, {"baseline", "bottom"}});
        return name;
    }

    // ---- the whole ----
    [[nodiscard]] std::string title() const {
        return "Where the networks lie: the line of theory, the budget, and capacity behind them";
    }
    [[nodiscard]] std::vector<std::string> notes() const {
        std::vector<std::string> notes{fmt::format(
            "Darker is more capacity, a contour at every half power of ten (log3 of the repaired bound, {} "
            "with "
            "{}); the band is 1.5 to 2 times the line for a transformer, Navon's window for a mixer.",
            winner_.family, winner_.input.name)};
        const std::size_t absent = input_.proposal.candidates.size() - shown_.size();
        if (absent > 0)
            notes.push_back(
                fmt::format("{} network{} of other families {} not drawn: their line is another one.", absent,
                            absent == 1 ? "" : "s", absent == 1 ? "is" : "are"));
        return notes;
    }
    [[nodiscard]] Json whole(const Json& layers) const {
        return {{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
                {"description", title()},
                {"title", {{"text", title()}, {"subtitle", "Each symbol is one network of the race."}}},
                {"width", 560},
                {"height", map_height},
                {"layer", layers},
                {"config", report::vega_config(report::Theme::light)}};
    }

    const FitPageInput& input_;
    const PageRoles& roles_;
    const Candidate& winner_;
    advise::AdviceRequest request_;
    advise::Layout layout_;
    std::vector<const Candidate*> shown_;
    Frame frame_;
    Json budget_end_;
};

}  // namespace

Result<report::Figure> capacity_map(const FitPageInput& input, const PageRoles& roles) {
    return Map(input, roles).figure();
}

}  // namespace plimsoll::fit

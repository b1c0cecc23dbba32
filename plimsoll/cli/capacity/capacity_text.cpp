#include "plimsoll/cli/capacity/capacity_text.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/depth_chart.h"
#include "plimsoll/cli/print.h"

namespace plimsoll::cli {
namespace {

using theory::CapacityCurve;
using theory::CapacityPoint;

double log10_of(double kappa) { return std::log10(std::max(kappa, 1e-3)); }

// Maps capacities to rows by their logarithm.
class Grid {
  public:
    Grid(const CapacityCurve& curve, int rows) : rows_(rows) {
        for (const auto& point : curve.points) {
            low_ = std::min(low_, log10_of(point.kappa));
            high_ = std::max(high_, log10_of(point.kappa));
        }
        low_ = std::floor(low_);
        high_ = std::max(low_ + 1, std::ceil(high_));
    }
    [[nodiscard]] int row(double kappa) const {
        const double share = (log10_of(kappa) - low_) / (high_ - low_);
        return static_cast<int>(std::lround((1 - share) * (rows_ - 1)));
    }
    // The power of ten written beside a row.
    [[nodiscard]] double label(int row) const { return high_ - (high_ - low_) * row / (rows_ - 1); }

  private:
    int rows_;
    double low_ = 1e300, high_ = -1e300;
};

struct DepthMark {
    std::string symbol, meaning;
    std::optional<std::int64_t> depth;
};

std::vector<DepthMark> marks_of(const CapacityCurve& curve) {
    return {{"p", "first depth past the published threshold, log3 of the width", curve.past_threshold},
            {"T", "first depth past the knee T, where a layer doubles capacity", curve.past_knee},
            {"s", "L_sat, first depth whose capacity meets (N/2) log3 V", curve.saturated}};
}

std::string certified_text(const CapacityPoint& point) {
    if (!point.certified) return fmt::format("{:.6g}", point.kappa);
    const auto& c = *point.certified;
    if (c.relative_width() < 1e-6) return fmt::format("{:.6g}", c.upper.middle());
    return fmt::format("{:.5g} to {:.5g}", c.lower.lower(), c.upper.upper());
}

std::string subject_of(const CapacityCurve& curve) {
    std::string text = human_count(static_cast<double>(curve.budget.parameters)) + " parameters";
    if (curve.budget.vocab) text += fmt::format(", vocabulary {}", *curve.budget.vocab);
    return text +
           (curve.budget.context ? fmt::format(", context {}", *curve.budget.context) : ", context N >= 2d");
}

Json mark_rule(const DepthMark& mark) {
    return {{"mark", {{"type", "rule"}, {"strokeDash", {4, 3}}}},
            {"data", {{"values", Json::array({{{"depth", *mark.depth}, {"meaning", mark.meaning}}})}}},
            {"encoding",
             {{"x", {{"field", "depth"}, {"type", "quantitative"}}}, {"tooltip", {{"field", "meaning"}}}}}};
}

}  // namespace

std::vector<std::int64_t> table_depths(std::int64_t deepest) {
    std::vector<std::int64_t> depths;
    for (const std::int64_t depth :
         {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1000}) {
        if (depth <= deepest) depths.push_back(depth);
    }
    return depths;
}

std::string capacity_drawing(const CapacityCurve& curve, int columns, int rows) {
    const Grid grid(curve, rows);
    const DepthAxis axis(static_cast<double>(curve.points.back().depth), columns);
    std::vector<std::string> lines(static_cast<std::size_t>(rows),
                                   std::string(static_cast<std::size_t>(columns), ' '));
    for (const auto& point : curve.points) {
        lines[static_cast<std::size_t>(grid.row(point.kappa))]
             [static_cast<std::size_t>(axis.column(static_cast<double>(point.depth)))] = '*';
    }
    std::string out;
    for (int row = 0; row < rows; ++row) {
        const double label = grid.label(row);
        const bool whole = std::abs(label - std::round(label)) < 0.5 / rows;
        std::string line = lines[static_cast<std::size_t>(row)];
        line.erase(line.find_last_not_of(' ') + 1);
        out += fmt::format("  {:>6} |{}\n", whole ? fmt::format("10^{:.0f}", label) : "", line);
    }
    out += "         +" + std::string(static_cast<std::size_t>(columns), '-') + "\n";
    std::string marks;
    for (const auto& mark : marks_of(curve)) {
        if (mark.depth) put(marks, axis.column(static_cast<double>(*mark.depth)), mark.symbol);
    }
    return out + "          " + marks + "\n          " + axis.ticks() + "   layers\n";
}

void print_capacity(const CapacityCurve& curve) {
    fmt::print("{}\n\n", subject_of(curve));
    Table table(
        {{"layers"}, {"width"}, {"log3 d"}, {"T"}, {"proved"}, {"ratio"}, {"capacity, log3", Align::left}});
    for (const auto& point : curve.points) {
        if (!point.certified) continue;
        table.add({fmt::format("{}", point.depth), fmt::format("{}", point.width),
                   fmt::format("{:.2f}", point.published_threshold), fmt::format("{:.2f}", point.knee),
                   fmt::format("{:.4g}", point.proved_lower),
                   fmt::format("{:.2f}", point.proved_lower / point.certified->upper.upper()),
                   certified_text(point)});
    }
    table.print();
    fmt::print("\n{}\n", capacity_drawing(curve, 58, 13));
    for (const auto& mark : marks_of(curve)) {
        if (mark.depth) fmt::print("  {}  {:>4}  {}\n", mark.symbol, *mark.depth, mark.meaning);
    }
    if (curve.string_cap) fmt::print("     (N/2) log3 V = {:.6g}\n", *curve.string_cap);
    fmt::print(
        "\nProved: one head reaches it on continuous inputs, for almost all weights.\nRatio: proved over "
        "capacity.\n");
    fmt::print("Capacity: no network has more.  Neither predicts a loss.  Figure: --vega FILE\n");
}

std::string capacity_csv(const CapacityCurve& curve) {
    std::string out =
        "depth,width,parameters,log3_proved_lower,log3_capacity,published_threshold,knee,certified_lower,"
        "certified_upper\n";
    for (const auto& point : curve.points) {
        out += fmt::format("{},{},{},{:.12g},{:.12g},{:.12g},{:.12g},", point.depth, point.width,
                           point.parameters, point.proved_lower, point.kappa, point.published_threshold,
                           point.knee);
        out += point.certified ? fmt::format("{:.12g},{:.12g}\n", point.certified->lower.lower(),
                                             point.certified->upper.upper())
                               : ",\n";
    }
    return out;
}

Json capacity_json(const CapacityCurve& curve) {
    const auto optional = [](const auto& value) { return value ? Json(*value) : Json(); };
    Json points = Json::array();
    for (const auto& point : curve.points) {
        Json row = {{"depth", point.depth},
                    {"width", point.width},
                    {"parameters", point.parameters},
                    {"log3_proved_lower", point.proved_lower},
                    {"log3_capacity", point.kappa},
                    {"published_threshold", point.published_threshold},
                    {"knee", point.knee}};
        if (point.certified) {
            row["certified_lower"] = point.certified->lower.lower();
            row["certified_upper"] = point.certified->upper.upper();
        }
        points.push_back(row);
    }
    return {{"params", curve.budget.parameters},      {"context", optional(curve.budget.context)},
            {"vocab", optional(curve.budget.vocab)},  {"past_threshold", optional(curve.past_threshold)},
            {"past_knee", optional(curve.past_knee)}, {"string_cap_log3", optional(curve.string_cap)},
            {"saturated", optional(curve.saturated)}, {"points", points}};
}

Json capacity_vega(const CapacityCurve& curve) {
    Json values = Json::array();
    for (const auto& point : curve.points) {
        values.push_back({{"depth", point.depth}, {"width", point.width}, {"capacity", point.kappa}});
    }
    const Json depth_axis = {
        {"field", "depth"}, {"type", "quantitative"}, {"scale", {{"type", "log"}}}, {"title", "layers"}};
    const Json capacity_axis = {{"field", "capacity"},
                                {"type", "quantitative"},
                                {"scale", {{"type", "log"}}},
                                {"title", "capacity (log3 of the separation-rank bound)"}};
    Json layers = Json::array();
    layers.push_back({{"mark", {{"type", "line"}, {"color", "#14222E"}, {"strokeWidth", 2.8}}},
                      {"data", {{"values", values}}},
                      {"encoding", {{"x", depth_axis}, {"y", capacity_axis}}}});
    for (const auto& mark : marks_of(curve)) {
        if (mark.depth) layers.push_back(mark_rule(mark));
    }
    return {{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
            {"title", "Capacity at " + subject_of(curve)},
            {"width", 640},
            {"height", 400},
            {"layer", layers}};
}

}  // namespace plimsoll::cli

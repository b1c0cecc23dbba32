#include "plimsoll/cli/capacity/enclosure_text.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/cli/print.h"

namespace plimsoll::cli {
namespace {

using theory::EnclosureRow;

std::string end_text(double log3) {
    return log3 < 1e6 ? fmt::format("{:.1f}", log3) : fmt::format("{:.5g}", log3);
}

void print_extremes(const std::vector<EnclosureRow>& rows) {
    const auto by_ratio = [](const EnclosureRow& a, const EnclosureRow& b) { return a.ratio() < b.ratio(); };
    const auto [least, most] = std::minmax_element(rows.begin(), rows.end(), by_ratio);
    fmt::print("\nRatio: {:.3f} (d = {}, L = {}) to {:.3f} (d = {}, L = {}).\n", least->ratio(), least->width,
               least->depth, most->ratio(), most->width, most->depth);
}

}  // namespace

void print_enclosures(const std::vector<EnclosureRow>& rows) {
    fmt::print("log3 of the separation rank, N >= 2d, continuous inputs, almost all weights\n\n");
    Table table({{"width"},
                 {"layers"},
                 {"heads"},
                 {"T"},
                 {"before"},
                 {"lower"},
                 {"upper"},
                 {"ratio"},
                 {"by", Align::left}});
    for (const auto& row : rows) {
        table.add({fmt::format("{}", row.width), fmt::format("{}", row.depth), fmt::format("{}", row.heads),
                   fmt::format("{:.2f}", row.knee), end_text(row.before), end_text(row.lower),
                   end_text(row.upper), fmt::format("{:.3f}", row.ratio()), row.theorem});
    }
    table.print();
    if (!rows.empty()) print_extremes(rows);
    fmt::print(
        "Before: by Lemma 4 alone.  Both ends are proved; the place of the rank between\nthem is not known.  "
        "The "
        "parameters of each theorem: --csv, --json.\n");
}

std::string enclosures_csv(const std::vector<EnclosureRow>& rows) {
    std::string out = "width,depth,heads,head_dim,T,log3_before,log3_lower,log3_upper,ratio,theorem,route\n";
    for (const auto& row : rows) {
        out += fmt::format("{},{},{},{},{:.6g},{:.12g},{:.12g},{:.12g},{:.6g},{},\"{}\"\n", row.width,
                           row.depth, row.heads, row.head_dim, row.knee, row.before, row.lower, row.upper,
                           row.ratio(), row.theorem, row.route);
    }
    return out;
}

Json enclosures_json(const std::vector<EnclosureRow>& rows) {
    Json all = Json::array();
    for (const auto& row : rows) {
        all.push_back({{"width", row.width},
                       {"depth", row.depth},
                       {"heads", row.heads},
                       {"head_dim", row.head_dim},
                       {"knee", row.knee},
                       {"log3_before", row.before},
                       {"log3_lower", row.lower},
                       {"log3_upper", row.upper},
                       {"ratio", row.ratio()},
                       {"theorem", row.theorem},
                       {"route", row.route}});
    }
    return all;
}

Json enclosures_vega(const std::vector<EnclosureRow>& rows) {
    Json values = Json::array();
    for (const auto& row : rows)
        values.push_back({{"width", std::to_string(row.width)},
                          {"depth", row.depth},
                          {"ratio", row.ratio()},
                          {"theorem", row.theorem}});
    const Json depth_axis = {{"field", "depth"}, {"type", "quantitative"}, {"title", "layers"}};
    const Json ratio_axis = {{"field", "ratio"},
                             {"type", "quantitative"},
                             {"scale", {{"domain", {0, 1}}}},
                             {"title", "proved lower end / proved upper end of log3 sep"}};
    const Json color = {{"field", "width"}, {"type", "nominal"}, {"sort", nullptr}, {"title", "width"}};
    return {{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
            {"title", "What is proved of the separation rank, N >= 2d"},
            {"width", 640},
            {"height", 400},
            {"data", {{"values", values}}},
            {"mark", {{"type", "line"}, {"point", true}}},
            {"encoding", {{"x", depth_axis}, {"y", ratio_axis}, {"color", color}}}};
}

}  // namespace plimsoll::cli

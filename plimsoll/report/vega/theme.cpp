#include "plimsoll/report/vega/theme.h"

#include <array>
#include <span>
#include <vector>

namespace plimsoll::report {
namespace {

constexpr const char* sans = "IBM Plex Sans, system-ui, sans-serif";
constexpr const char* condensed = "IBM Plex Sans Condensed, Arial Narrow, system-ui, sans-serif";

// Colours of the design in an order that keeps any two 10 apart in CIELAB, also for readers who miss a kind
// of cone (tests/report/theme_test). `good` is not among them: beside accent it is lost to those readers.
// Light: dot, accent, warn-fill, land ink, contour, land edge, schematic, warn.
constexpr std::array light_series{"#1D3A52", "#A3126B", "#D9730D", "#6B5620",
                                  "#7FA3BD", "#A98F52", "#2F5F80", "#9A4A00"};
// Dark: dot, accent, warn-fill, land edge, land ink, iso, schematic, good.
constexpr std::array dark_series{"#CFE3F0", "#F27CC0", "#F0913A", "#8C7A48",
                                 "#D0BD85", "#5D7382", "#7FB2D3", "#5CC8AC"};

// Every pair of colour and shape is new until 64 series.
constexpr std::array shapes{"circle", "square",        "triangle-up",    "diamond",
                            "cross",  "triangle-down", "triangle-right", "triangle-left"};
const std::array<std::vector<int>, 6> dashes{
    {{1, 0}, {6, 3}, {2, 2}, {8, 3, 2, 3}, {12, 4}, {4, 2, 1, 2, 1, 2}}};

std::span<const char* const> series_colours(Theme theme) {
    return theme == Theme::light ? std::span<const char* const>(light_series) : dark_series;
}

// Marks by what they mean; the specification names these and holds no colour itself.
Json styles(const Palette& p) {
    return {
        {"mean",
         {{"filled", false}, {"color", p.accent}, {"size", 55}, {"strokeWidth", 1.8}, {"opacity", 1}}},
        {"ground", {{"filled", true}, {"color", p.surface}, {"size", 55}, {"opacity", 1}}},
        {"row",
         {{"filled", false}, {"color", p.accent}, {"size", 18}, {"strokeWidth", 1.2}, {"opacity", 0.4}}},
        {"line", {{"color", p.accent}, {"strokeWidth", 2}}},
        {"whisker", {{"color", p.accent}, {"strokeWidth", 1.3}}},
        {"spread", {{"color", p.accent}, {"opacity", 0.14}}},
        {"fit", {{"color", p.accent}, {"strokeWidth", 1.6}}},
        {"fit-band", {{"color", p.accent}, {"opacity", 0.1}}},
        {"reference", {{"color", p.ink2}, {"strokeWidth", 1.2}, {"strokeDash", {7, 4}}}},
        {"predicted", {{"color", p.ink2}, {"strokeWidth", 1.4}, {"strokeDash", {2, 3}}}},
        {"load-line", {{"color", p.ink}, {"strokeWidth", 2.8}}},
        {"budget", {{"color", p.accent}, {"strokeWidth", 2.2}}},
        {"water", {{"color", p.water}, {"strokeWidth", 0}}},
        {"contour", {{"color", p.contour}, {"strokeWidth", 0.6}}},
        {"contour-caption", {{"color", p.ink3}, {"font", condensed}, {"fontSize", 11}}},
        {"window", {{"color", p.good}, {"opacity", 0.1}}},
        {"caption", {{"color", p.ink2}, {"font", condensed}, {"fontSize", 12}}},
        {"window-caption", {{"color", p.good}, {"font", condensed}, {"fontSize", 12}}},
        {"budget-caption", {{"color", p.accent}, {"font", condensed}, {"fontSize", 12}}},
        {"halo",
         {{"color", p.surface},
          {"stroke", p.surface},
          {"strokeWidth", 4},
          {"strokeJoin", "round"},
          {"font", condensed},
          {"fontSize", 14},
          {"fontWeight", 600}}},
        {"advice-caption", {{"color", p.accent}, {"font", condensed}, {"fontSize", 14}, {"fontWeight", 600}}},
        {"empty", {{"color", p.ink3}, {"font", sans}, {"fontSize", 14}}},
    };
}

Json axis_config(const Palette& p) {
    return {{"domainColor", p.ink},   {"domainWidth", 1},      {"tickColor", p.rule},
            {"tickSize", 4},          {"grid", true},          {"gridColor", p.rule},
            {"gridWidth", 0.7},       {"labelColor", p.ink2},  {"labelFont", condensed},
            {"labelFontSize", 12.5},  {"labelPadding", 6},     {"titleColor", p.ink},
            {"titleFont", condensed}, {"titleFontSize", 12.5}, {"titleFontWeight", 600},
            {"titlePadding", 8},      {"labelOverlap", true}};
}

Json title_config(const Palette& p) {
    return {{"anchor", "start"},
            {"frame", "group"},
            {"font", sans},
            {"fontSize", 17},
            {"fontWeight", 600},
            {"lineHeight", 22},
            {"color", p.ink},
            {"subtitleFont", sans},
            {"subtitleFontSize", 13},
            {"subtitleColor", p.ink2},
            {"subtitleLineHeight", 18},
            {"subtitlePadding", 6},
            {"offset", 22}};
}

Json legend_config(const Palette& p) {
    return {{"orient", "top"},       {"direction", "horizontal"},
            {"titleOrient", "left"}, {"labelColor", p.ink},
            {"labelFont", sans},     {"labelFontSize", 13},
            {"titleColor", p.ink2},  {"titleFont", sans},
            {"titleFontSize", 12},   {"titleFontWeight", 400},
            {"symbolSize", 70},      {"symbolStrokeWidth", 1.8},
            {"columnPadding", 16},   {"columns", 6},
            {"offset", 26}};
}

}  // namespace

const Palette& palette(Theme theme) {
    static const Palette light{"#FFFFFF", "#14222E", "#42525F", "#5F6D78", "#D8D4C8",
                               "#A3126B", "#0B6A57", "#9A4A00", "#A9CCE2", "#80A4BE"};
    static const Palette dark{"#131E27", "#E8EEF1", "#B3C1CA", "#8C9DA8", "#263541",
                              "#F27CC0", "#5CC8AC", "#F5A653", "#02080E", "#2F5570"};
    return theme == Theme::light ? light : dark;
}

Json vega_config(Theme theme) {
    const Palette& p = palette(theme);
    const auto colours = series_colours(theme);
    return {{"background", p.surface},
            {"padding", 16},
            {"font", sans},
            {"view", {{"stroke", nullptr}}},
            {"axis", axis_config(p)},
            {"axisX", {{"grid", false}}},
            {"axisY", {{"domain", false}, {"ticks", false}}},
            {"title", title_config(p)},
            {"legend", legend_config(p)},
            {"header",
             {{"labelFont", sans},
              {"labelFontSize", 13},
              {"labelFontWeight", 600},
              {"labelColor", p.ink},
              {"labelAnchor", "start"},
              {"titleFont", sans},
              {"titleFontSize", 12},
              {"titleFontWeight", 400},
              {"titleColor", p.ink2},
              {"titleAnchor", "start"}}},
            {"style", styles(p)},
            {"range", {{"category", std::vector<std::string>(colours.begin(), colours.end())}}},
            {"locale",
             {{"number",
               {{"decimal", "."}, {"thousands", "\u202f"}, {"grouping", {3}}, {"currency", {"", ""}}}}}}};
}

Json with_theme(Json vega_lite, Theme theme) {
    vega_lite["config"] = vega_config(theme);
    return vega_lite;
}

std::string series_shape(std::size_t index) {
    return shapes[(index + index / shapes.size()) % shapes.size()];
}

Json series_dash(std::size_t index) { return dashes[index % dashes.size()]; }

}  // namespace plimsoll::report

#include "plimsoll/report/vega/theme.h"

#include <array>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace plimsoll::report {
namespace {

using Colour = std::array<double, 3>;

Colour linear_rgb(const std::string& hex) {
    Colour out{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double c = std::stoi(hex.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
        out[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    }
    return out;
}

// How a reader without one kind of cone sees it, in linear RGB (Vienot, Brettel and Mollon 1999).
Colour seen_without(char cone, const Colour& c) {
    if (cone == 'm')
        return {0.29275 * c[0] + 0.70725 * c[1], 0.29275 * c[0] + 0.70725 * c[1],
                -0.02234 * c[0] + 0.02234 * c[1] + c[2]};
    if (cone == 'l')
        return {0.11238 * c[0] + 0.88762 * c[1], 0.11238 * c[0] + 0.88762 * c[1],
                0.00401 * c[0] - 0.00401 * c[1] + c[2]};
    return c;
}

Colour lab(const Colour& c) {
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f((0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.9505);
    const double y = f(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]);
    const double z = f((0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.089);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const std::string& a, const std::string& b, char cone) {
    const Colour p = lab(seen_without(cone, linear_rgb(a))), q = lab(seen_without(cone, linear_rgb(b)));
    return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

double luminance(const std::string& hex) {
    const Colour c = linear_rgb(hex);
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}
double contrast_ratio(const std::string& a, const std::string& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

std::vector<std::string> series(Theme theme) {
    return vega_config(theme)["range"]["category"].get<std::vector<std::string>>();
}

// 10 is several times what can just be told apart side by side; shapes tell the rest.
TEST(ReportTheme, SeriesStayApartForColourBlindReaders) {
    for (const Theme theme : {Theme::light, Theme::dark}) {
        const auto colours = series(theme);
        for (const char cone : {' ', 'm', 'l'})
            for (std::size_t i = 0; i < colours.size(); ++i)
                for (std::size_t j = i + 1; j < colours.size(); ++j)
                    EXPECT_GE(distance(colours[i], colours[j], cone), 10)
                        << colours[i] << " " << colours[j] << " without " << cone;
    }
}

TEST(ReportTheme, TextAndLinesStandOutFromTheSurface) {
    for (const Theme theme : {Theme::light, Theme::dark}) {
        const Palette& p = palette(theme);
        for (const auto& text : {p.ink, p.ink2, p.ink3, p.accent, p.good, p.warn})
            EXPECT_GE(contrast_ratio(text, p.surface), 4.5) << text;
        for (const auto& colour : series(theme)) EXPECT_GE(contrast_ratio(colour, p.surface), 2.6) << colour;
    }
}

TEST(ReportTheme, ColourAndShapeTogetherAreNewForSixtyFourSeries) {
    std::set<std::pair<std::size_t, std::string>> pairs;
    for (std::size_t i = 0; i < 64; ++i) EXPECT_TRUE(pairs.emplace(i % 8, series_shape(i)).second) << i;
}

TEST(ReportTheme, OnlyTheConfigKnowsColours) {
    const Json spec{{"layer", {{{"mark", "point"}}}}, {"config", vega_config(Theme::light)}};
    const Json dark = with_theme(spec, Theme::dark);
    EXPECT_EQ(dark["layer"], spec["layer"]);
    EXPECT_EQ(dark["config"], vega_config(Theme::dark));
}

}  // namespace
}  // namespace plimsoll::report

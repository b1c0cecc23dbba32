#include "plimsoll/report/figure_fit.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "plimsoll/base/format.h"
#include "plimsoll/report/numbers.h"

namespace plimsoll::report {
namespace {

constexpr std::size_t line_places = 61;

using Points = std::vector<std::pair<double, double>>;

// In which of the two the fit is done in logarithms.
struct Logs {
    bool x = false, y = false;
};

Logs logs_of(const FigureSpec& figure) {
    const bool power = figure.fit == FitKind::power;
    return {power || figure.x.scale != Scale::linear, power || figure.y.scale != Scale::linear};
}

double forward(double value, bool logs) { return logs ? std::log(value) : value; }
double backward(double value, bool logs) { return logs ? std::exp(value) : value; }

std::string variable(const char* name, bool logs) { return logs ? fmt::format("ln({})", name) : name; }

// "+ 3.2 x", "- 0.5 x^2".
std::string added(double coefficient, const std::string& term) {
    return fmt::format(" {} {} {}", coefficient < 0 ? '-' : '+', short_number(std::abs(coefficient)), term);
}

std::string formula_text(const PolynomialFit& fit, FitKind kind, Logs logs) {
    const auto c = fit.coefficients();
    if (kind == FitKind::power)
        return fmt::format("y = {} x^{}", short_number(std::exp(c[0])), short_number(c[1]));
    const std::string x = variable("x", logs.x);
    std::string text = fmt::format("{} = {}", variable("y", logs.y), short_number(c[0])) + added(c[1], x);
    if (c.size() > 2) text += added(c[2], x + "^2");
    return text;
}

std::string fit_note(const PolynomialFit& fit, FitKind kind, Logs logs, const std::string& who) {
    const char* name = kind == FitKind::power ? "exponent" : kind == FitKind::linear ? "slope" : "bend";
    const auto interval = fit.leading_interval();
    return fmt::format("fit{}: {} ({})", who, formula_text(fit, kind, logs),
                       interval ? fmt::format("{} {}", name, interval_text(*interval))
                                : "as many points as coefficients: no interval");
}

// The rows of one series, in the fit's coordinates; the second counts those that have no logarithm.
std::pair<Points, std::size_t> points_for(const FigureData& data, const FittedLine& line, Logs logs) {
    Points points;
    std::size_t without = 0;
    for (const RowPoint& row : data.rows) {
        if (row.place.facet != line.facet || row.place.series != line.series) continue;
        const double x = store::number_of(row.place.x);
        if ((logs.x && x <= 0) || (logs.y && row.y <= 0))
            ++without;
        else
            points.emplace_back(forward(x, logs.x), forward(row.y, logs.y));
    }
    return {points, without};
}

void trace(FittedLine& line, const PolynomialFit& fit, const Points& points, Logs logs, Scale scale) {
    const auto [least, most] = std::ranges::minmax_element(points);
    for (const double x :
         places_between(backward(least->first, logs.x), backward(most->first, logs.x), scale, line_places)) {
        const double at = forward(x, logs.x);
        FitPoint point{x, backward(fit.at(at), logs.y), std::nullopt};
        if (const auto band = fit.band(at))
            point.band = Interval{backward(band->low, logs.y), backward(band->high, logs.y)};
        line.points.push_back(point);
    }
}

void add_fit(FigureFits& fits, const FigureSpec& figure, const FigureData& data, FittedLine line) {
    const Logs logs = logs_of(figure);
    std::string who = line.series.empty() ? "" : " of " + line.series;
    if (!line.facet.empty()) who += " in " + line.facet;
    const auto [points, without] = points_for(data, line, logs);
    if (without > 0)
        fits.notes.push_back(
            fmt::format("fit{}: {} without a logarithm left out", who, counted(without, "row")));
    const std::size_t degree = figure.fit == FitKind::quadratic ? 2 : 1;
    const auto fit = PolynomialFit::make(points, degree);
    if (!fit) {
        fits.notes.push_back(fmt::format("fit{}: needs {} different x", who, degree + 1));
        return;
    }
    fits.notes.push_back(fit_note(*fit, figure.fit, logs, who));
    trace(line, *fit, points, logs, figure.x.scale);
    fits.lines.push_back(std::move(line));
}

}  // namespace

std::vector<double> places_between(double low, double high, Scale scale, std::size_t count) {
    std::vector<double> places;
    const bool logs = scale != Scale::linear;
    for (std::size_t i = 0; i < count; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(count - 1);
        const double from = forward(low, logs), to = forward(high, logs);
        places.push_back(std::clamp(backward(from + part * (to - from), logs), low, high));
    }
    return places;
}

FigureFits figure_fits(const FigureSpec& figure, const FigureData& data) {
    FigureFits fits;
    if (figure.fit == FitKind::none) return fits;
    if (data.words_on_x) {
        fits.notes.push_back(fmt::format("no fit: {} is text", figure.x.column));
        return fits;
    }
    const std::vector<std::string> alone{""};
    for (const auto& facet : data.facets.empty() ? alone : data.facets)
        for (const auto& series : data.series.empty() ? alone : data.series)
            add_fit(fits, figure, data, {facet, series, {}});
    return fits;
}

}  // namespace plimsoll::report

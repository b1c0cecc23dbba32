#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plimsoll/base/result.h"

// figure.toml as values: what a report shows of its rows. docs/REPORTS.md has every key.
namespace plimsoll::report {

enum class Scale { linear, log, log2 };
enum class IntervalKind { t95, range, none };
enum class FitKind { none, linear, power, quadratic };
enum class Prediction { none, less, more, equal };

// Where a value of figure.toml stands: "figure.toml:12: figures[0].x".
using Place = std::string;

// A column made from others: by a formula, "ratio" = "depth / log2(channels)", or by a list of numbers for
// the texts of one column, "rank" = { of = "name", values = { "1x6" = 385 } }.
struct DerivedColumn {
    std::string name, formula;
    Place place;
    std::string of;  // empty: a formula
    std::map<std::string, double> values;
};

struct AxisSpec {
    std::string column, title;  // the title is the column's name when none is given
    Scale scale = Scale::linear;
    Place place;
    // Set by programs; no keys of figure.toml.
    std::string format;                        // of the numbers, as d3 writes it; empty: the page's
    std::optional<std::vector<double>> ticks;  // none: as the values ask; empty: the library chooses
};

// A predicted line: vertical at x or horizontal at y.
struct RuleSpec {
    bool vertical = true;
    double at = 0;
    std::string label;
    Place place;
};

// A predicted window, low < high.
struct BandSpec {
    bool vertical = true;
    double low = 0, high = 0;
    std::string label;
    Place place;
};

// A predicted curve: y as a formula in x.
struct CurveSpec {
    std::string formula, label;
    Place place;
};

struct FigureSpec {
    std::string name, title, rows;  // rows empty: the first table
    std::vector<std::string> where;
    AxisSpec x, y;
    std::string series, series_title, facet;
    std::string apart;                      // column whose values are points of their own, where one is given
    std::vector<std::string> series_order;  // names of series, first in the legend; the others follow
    std::string over = "seed";
    bool over_given = false;
    IntervalKind interval = IntervalKind::t95;
    bool all_points = false;
    bool line = false;
    FitKind fit = FitKind::none;
    std::vector<RuleSpec> rules;
    std::vector<BandSpec> bands;
    std::vector<CurveSpec> curves;
    Place place;
    // Set by programs; no keys of figure.toml.
    std::string subtitle;                         // in place of what points and whiskers are
    std::vector<std::string> series_shapes;       // by series_order; then the theme's
    std::vector<std::vector<int>> series_dashes;  // the same for lines
    bool own_y = false;                           // every facet has a range of y of its own
};

struct TableSpec {
    std::string name, title, rows;
    std::vector<std::string> where, by, values;
    std::string over = "seed";
    bool over_given = false;
    Place place;
};

struct ContrastSpec {
    std::string name, rows, value;
    std::vector<std::string> where, a, b, match;
    Prediction predicted = Prediction::none;
    double margin = 0;
    Place place;
};

struct OptimumSpec {
    std::string name, rows, x, y;
    std::vector<std::string> where, by;
    bool lowest = true;
    std::string over = "seed";
    Scale scale = Scale::linear;  // in which the curve is taken as a parabola around its best point
    std::optional<std::pair<double, double>> predicted;
    Place place;
};

struct FigureSet {
    std::vector<DerivedColumn> columns;
    std::vector<FigureSpec> figures;
    std::vector<TableSpec> tables;
    std::vector<ContrastSpec> contrasts;
    std::vector<OptimumSpec> optima;
};

// Reads the text of a figure.toml; an unknown key, a name twice and a value out of range are errors with
// their line.
Result<FigureSet> parse_figures(std::string_view text, const std::string& file);
Result<FigureSet> read_figures(const std::filesystem::path& path);

}  // namespace plimsoll::report

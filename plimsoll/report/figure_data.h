#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plimsoll/report/figure_file.h"
#include "plimsoll/report/sources.h"
#include "plimsoll/report/statistics/statistics.h"

namespace plimsoll::report {

// Where a point of a figure belongs; the labels are what the legend and the small multiples say.
struct PointSeries {
    std::string facet, series;
    Cell x;
    std::string apart = {};  // of points that share all else
};

// One row as a point.
struct RowPoint {
    PointSeries place;
    double y = 0;
    std::size_t row = 0;  // in the selection
};

// The rows of one place over the seeds.
struct MeanPoint {
    PointSeries place;
    Summary summary;
};

struct FigureData {
    std::vector<RowPoint> rows;
    std::vector<MeanPoint> means;
    std::vector<std::string> series, facets;  // labels: those of series_order first, then as their values
    bool words_on_x = false;                  // x is text: places side by side, not a scale
    bool averaged = false;                    // over the seeds; otherwise each row is its own mean
    std::vector<std::string> notes;           // what was left out or averaged first
};

// Sorts the rows of a figure into points and means; counts what cannot be drawn.
Result<FigureData> figure_data(const FigureSpec& figure, const Selection& selection);

// A cell as a label: text, or a number with narrow spaces between thousands; "none" for an empty cell.
std::string label_of(const Cell& cell);

// The mean of each value of `over` among the pairs (value of over, y), so that a seed counts once; the second
// is how many numbers shared theirs.
std::pair<std::vector<double>, std::size_t> once_each(std::vector<std::pair<Cell, double>> pairs);

}  // namespace plimsoll::report

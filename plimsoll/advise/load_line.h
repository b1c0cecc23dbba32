#pragma once

#include <cstdint>
#include <span>

// The load line: how deep a network of a size should be, by the losses that were measured
// (data/evidence.csv), and what leaving that depth costs. Every face judges depth by these functions.
// docs/ADVICE.md derives them.
namespace plimsoll::advise {

// What a shape costs beside an unlimited one, in percent of loss:
//     depth_percent L^-depth_power + width_percent (d / 100)^-width_power.
// Only differences between shapes of one size are meant. Four numbers, fitted: evidence_fit.h.
struct LineConstants {
    double depth_percent = 0, depth_power = 0, width_percent = 0, width_power = 0;
};

// Fitted to all studies of data/evidence.csv; a test fits them again.
const LineConstants& line_constants();
// The same, each with one study left out, in the order of fitted_studies(): what the errors are made of.
std::span<const LineConstants> constants_without_one_study();

// The sizes (non-embedding parameters) that the evidence covers.
constexpr double smallest_measured = 5.3e4, largest_measured = 1.8e9;

// A depth that costs at most so many percent of loss is in the valley.
constexpr double valley_percent = 1;
// Depths whose costs differ by less are ties: a tenth of what two seeds of one network differ by.
constexpr double tie_percent = 0.05;

// Non-embedding parameters of a standard stack, 12 L d^2: what sizes mean here.
double standard_size(double depth, double width);

// The formula above.
double shape_percent(const LineConstants& constants, double depth, double width);

// The depth of least cost at a size, a real number of at least 1.
double best_depth(const LineConstants& constants, double size);
double best_depth(double size);

// The depth at which a network of that width has the best depth of its size.
double line_depth(double width);

// The least depth that ties with the best one: fewer layers of the same size take fewer FLOPs, fewer cached
// bytes and less time. What a rule of depth alone is judged by; advise() chooses among whole shapes.
double advised_depth(const LineConstants& constants, double size);

// Of a budget that also pays for a token table of `rows` rows: the width of the network of advised depth,
// without rounding. Its table takes a share of the budget that falls as the budget grows.
double advised_width(double parameters, double rows);

// What a depth costs, in percent of loss, beside the best depth of the same size; the error is one standard
// error between studies (jackknife).
struct DepthCost {
    double percent = 0, error = 0;

    // The ends of the interval of two standard errors; the lower one is never below 0.
    [[nodiscard]] double low() const;
    [[nodiscard]] double high() const;
};
DepthCost depth_cost(double depth, double width);

// Depths of a size: the best, those that are expected to cost at most valley_percent, and the wider range
// outside which a depth costs more than that by two standard errors.
struct Valley {
    double best = 0, low = 0, high = 0, surely_low = 0, surely_high = 0;
};
Valley valley_at(double size);

enum class ValleySide {
    inside,       // of the valley
    edge,         // expected to cost more than valley_percent, but within two standard errors of it
    too_shallow,  // costs more than that
    too_deep,
};

// Everything that is said about a depth.
struct DepthJudgement {
    double size = 0;
    Valley valley;
    DepthCost cost;
    ValleySide place = ValleySide::inside;
    bool measured = true;  // the size lies within the evidence
};
DepthJudgement judge_depth(std::int64_t depth, std::int64_t width);

}  // namespace plimsoll::advise

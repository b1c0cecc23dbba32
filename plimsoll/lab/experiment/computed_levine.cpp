#include <array>
#include <cmath>
#include <optional>

#include "plimsoll/lab/experiment/computed.h"
#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/theory/capacity/capacity_curve.h"
#include "plimsoll/theory/papers/levine_bounds.h"

// What the paper prints stands here as project facts: its text, section 5 (table 1) and section 4.1 (the
// example of corollary 1).
namespace plimsoll::lab {
namespace {

using store::Cell;

constexpr int bits = 96;

// ---- table 1 ----

struct PrintedDepth {
    int power_of_ten;
    std::optional<std::int64_t> depth;
};
constexpr std::array printed_depths{PrintedDepth{7, 5},  PrintedDepth{8, 6},  PrintedDepth{9, 7},
                                    PrintedDepth{10, 8}, PrintedDepth{11, 9}, PrintedDepth{12, std::nullopt}};

std::int64_t size_of(const PrintedDepth& row) {
    std::int64_t size = 1;
    for (int i = 0; i < row.power_of_ten; ++i) size *= 10;
    return size;
}

double log3_of(double x) { return std::log(x) / std::log(3.0); }

// The width of 12 L d^2 = size, for any depth.
double width_at(std::int64_t size, double depth) {
    constexpr double per_layer = 12;
    return std::sqrt(static_cast<double>(size) / (per_layer * depth));
}

// The first depth at or past the knee of the repaired bound (CAP-T_knee, N >= 2d) at this size.
std::int64_t depth_past_knee(std::int64_t size) {
    for (std::int64_t depth = 1;; ++depth) {
        const std::int64_t width = theory::width_for({.parameters = size}, depth);
        const theory::RankVariety whole{width, width};
        if (width < 1 || static_cast<double>(depth) >= theory::knee_depth(whole, bits).middle()) return depth;
    }
}

class TableOne {
  public:
    TableOne() {
        table_.columns = {"size",   "rule",   "depth",         "width", "threshold",
                          "margin", "regime", "printed_depth", "agrees"};
    }

    void add(const PrintedDepth& row) {
        const std::int64_t size = size_of(row);
        const double real = theory::table1_depth(size, bits).middle();
        if (row.depth) add(row, "printed", static_cast<double>(*row.depth));
        add(row, "real", real);
        add(row, "rounded down", std::floor(real));
        add(row, "nearest", static_cast<double>(theory::table1_depth_round(size).to_int64()));
        add(row, "rounded up", static_cast<double>(theory::table1_depth_ceil(size).to_int64()));
        add(row, "knee", static_cast<double>(depth_past_knee(size)));
    }

    report::Table take() { return std::move(table_); }

  private:
    void add(const PrintedDepth& row, const char* rule, double depth) {
        const std::int64_t size = size_of(row);
        const double width = width_at(size, depth), threshold = log3_of(width);
        const bool whole = depth == std::floor(depth);
        Cell regime, printed, agrees;
        if (whole)
            regime = theory::depth_regime(static_cast<std::int64_t>(depth),
                                          theory::Integer(static_cast<std::int64_t>(width)));
        if (row.depth) printed = *row.depth;
        if (row.depth && whole) agrees = static_cast<double>(*row.depth) == depth;
        table_.rows.push_back({size, std::string(rule),
                               whole ? Cell(static_cast<std::int64_t>(depth)) : Cell(depth),
                               whole ? Cell(static_cast<std::int64_t>(width)) : Cell(width), threshold,
                               depth - threshold, regime, printed, agrees});
    }

    report::Table table_;
};

// ---- corollary 1 ----

struct PrintedWidth {
    std::int64_t shallow_depth;
    double width;
};
constexpr std::array printed_widths{PrintedWidth{2, 2e17}, PrintedWidth{3, 2e5}};
constexpr theory::DeepLower all_bounds[] = {theory::DeepLower::eq6, theory::DeepLower::midk,
                                            theory::DeepLower::ms};
constexpr const char* bound_names[] = {"eq6", "midk", "ms"};

// The example is of d = 1000; 1024 is the width that the network it stands for really has.
constexpr std::int64_t printed_width = 1000, example_depth = 6, example_heads = 16;

std::optional<double> printed_for(std::int64_t deep_width, std::int64_t shallow) {
    if (deep_width != printed_width) return std::nullopt;
    for (const auto& one : printed_widths)
        if (one.shallow_depth == shallow) return one.width;
    return std::nullopt;
}

void add_width(report::Table& table, std::int64_t deep_width, const std::string& bound, std::int64_t shallow,
               double width) {
    const auto printed = printed_for(deep_width, shallow);
    table.rows.push_back({example_depth, deep_width, example_heads, bound, shallow, width, std::log10(width),
                          printed ? Cell(*printed) : Cell(), printed ? Cell(width / *printed) : Cell()});
}

}  // namespace

Result<report::Table> levine_table1_rows(const Json& arguments) {
    PLIMSOLL_RETURN_IF_ERROR(refuse_unknown_keys(arguments, {}, "arguments"));
    TableOne table;
    for (const PrintedDepth& row : printed_depths) table.add(row);
    return table.take();
}

Result<report::Table> levine_corollary1_rows(const Json& arguments) {
    PLIMSOLL_RETURN_IF_ERROR(refuse_unknown_keys(arguments, {}, "arguments"));
    report::Table table{{"deep_depth", "deep_width", "heads", "bound", "shallow_depth", "width",
                         "log10_width", "printed_width", "ratio"},
                        {}};
    for (const std::int64_t deep_width : {printed_width, std::int64_t{1024}}) {
        for (std::int64_t shallow = 2; shallow < example_depth; ++shallow) {
            if (const auto printed = printed_for(deep_width, shallow))
                add_width(table, deep_width, "printed", shallow, *printed);
            for (std::size_t i = 0; i < std::size(all_bounds); ++i) {
                const auto width = theory::corollary1_min_width({example_depth, deep_width, example_heads},
                                                                shallow, all_bounds[i], bits);
                // Below 1 every network is wide enough: the bounds ask for nothing.
                if (width.middle() >= 1)
                    add_width(table, deep_width, bound_names[i], shallow, width.middle());
            }
        }
    }
    return table;
}

}  // namespace plimsoll::lab

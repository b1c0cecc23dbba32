#include "plimsoll/cli/torch/probe_text.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/rank/rank_text.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

using probe::MatrixSpectrum;
using probe::NumericPartition;
using probe::NumericRank;
using probe::NumericReport;

void print_line(std::string_view label, const std::string& text) { fmt::print("{}", labelled(label, text)); }

// Three significant figures.
std::string figure(double value) { return fmt::format("{:.3g}", value); }

std::string rank_subject_text(const NumericReport& report) {
    const rank::SplitShape& split = report.facts.split;
    return split.by_position ? fmt::format("{}, {} positions", report.subject.spec, split.items())
                             : report.subject.spec;
}

std::string output_of(const NumericReport& report) {
    const rank::OutputIndex place = report.output;
    if (report.facts.output_cols == 1) return fmt::format("output {}", place.row);
    return report.facts.split.by_position ? fmt::format("coordinate {} at position {}", place.row, place.col)
                                          : fmt::format("entry {},{}", place.row, place.col);
}

std::string tolerance_of(const NumericReport& report, const NumericPartition& partition) {
    if (report.tolerance) return fmt::format("{} of the largest value, as given", figure(*report.tolerance));
    const std::size_t larger = std::max(partition.rows, partition.cols);
    return fmt::format("{} of the largest value, {} roundings of a double",
                       figure(static_cast<double>(larger) * 0x1p-52), larger);
}

std::string matrix_of(const NumericPartition& partition) {
    std::string text = fmt::format("{} x {}", partition.rows, partition.cols);
    if (partition.all_rows) text += ", every string of side A";
    if (partition.all_cols) text += ", every string of side B";
    return text;
}

std::string rank_of(const NumericRank& rank) {
    const char* sign = rank.saturated ? ">=" : rank.fades ? "~" : "";
    return fmt::format("{}{}", sign, rank.spectrum.numerical_rank);
}

std::string gap_of(const NumericRank& rank) {
    if (rank.gap.after == 0) return "none";
    return fmt::format("{:.2g} after {}", rank.gap.factor, rank.gap.after);
}

std::vector<std::string> cells_of(const NumericRank& rank) {
    const double effective = rank.spectrum.effective_rank;
    return {rank_of(rank), figure(effective), figure(std::log(std::max(1.0, effective))), gap_of(rank)};
}

void print_ranks(const NumericReport& report) {
    const bool several = report.partitions.size() > 1;
    Table table({{several ? "side A" : "weights", Align::left},
                 {"rank"},
                 {"effective"},
                 {"entropy"},
                 {"widest gap"}});
    for (const auto& partition : report.partitions) {
        for (const auto& rank : partition.ranks) {
            const bool first = &rank == &partition.ranks.front();
            std::vector<std::string> cells = cells_of(rank);
            const std::string side = first ? left_text(partition.left) : "  " + rank.weights;
            cells.insert(cells.begin(), several ? side : rank.weights);
            table.add(std::move(cells), rank.saturated || rank.fades ? Mark::undecided : Mark::none);
        }
    }
    fmt::print("\n");
    table.print();
}

bool any(const NumericReport& report, bool NumericRank::* property) {
    return std::any_of(report.partitions.begin(), report.partitions.end(), [&](const auto& partition) {
        return std::any_of(partition.ranks.begin(), partition.ranks.end(),
                           [&](const NumericRank& rank) { return rank.*property; });
    });
}

// "64x64", "4 of 8x32".
std::string size_of(const MatrixSpectrum& matrix) {
    const std::string one = fmt::format("{}x{}", matrix.rows, matrix.cols);
    return matrix.stack == 1 ? one : fmt::format("{} of {}", matrix.stack, one);
}

std::string short_name(const std::string& name) {
    for (const std::string_view end : {".weight", ".values"}) {
        if (name.ends_with(end)) return name.substr(0, name.size() - end.size());
    }
    return name;
}

void print_values(const probe::SpectraReport& report) {
    Table table({{"matrix", Align::left},
                 {"size"},
                 {"largest"},
                 {"mean"},
                 {"smallest"},
                 {"condition"},
                 {"effective"}});
    for (const auto& matrix : report.matrices) {
        const auto& values = matrix.spectrum.values;
        table.add({short_name(matrix.name), size_of(matrix), figure(values.front()), figure(matrix.mean),
                   figure(values.back()), figure(matrix.condition), figure(matrix.spectrum.effective_rank)});
    }
    table.print();
}

void print_laws(const probe::SpectraReport& report) {
    Table table({{"matrix", Align::left}, {"copies"}, {"density"}, {"edges"}, {"above"}, {"distance"}});
    for (const auto& matrix : report.matrices) {
        table.add({short_name(matrix.name), fmt::format("{}", matrix.copies),
                   figure(matrix.density / static_cast<double>(matrix.copies)),
                   fmt::format("{}..{}", figure(matrix.low_edge), figure(matrix.high_edge)),
                   fmt::format("{}", matrix.outside), figure(matrix.distance)},
                  matrix.outside > 0 ? Mark::note : Mark::none);
    }
    table.print();
}

void print_best_matches(const probe::CkaReport& report) {
    Table table({{"layer of first"}, {"most similar of second"}, {"cka"}});
    for (std::size_t i = 0; i < report.values.rows(); ++i) {
        const auto row = report.values.view().row(i);
        const auto best = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
        table.add({report.first_layers[i], report.second_layers[best], fmt::format("{:.4f}", row[best])});
    }
    table.print();
}

void print_all_pairs(const probe::CkaReport& report) {
    std::vector<Column> columns{{"first \\ second"}};
    for (const auto& layer : report.second_layers) columns.push_back({layer});
    Table table(std::move(columns));
    for (std::size_t i = 0; i < report.values.rows(); ++i) {
        std::vector<std::string> cells{report.first_layers[i]};
        for (const double value : report.values.view().row(i)) cells.push_back(fmt::format("{:.4f}", value));
        table.add(std::move(cells));
    }
    table.print();
}

}  // namespace

void print_numeric_rank(const NumericReport& report) {
    const NumericPartition& first = report.partitions.front();
    fmt::print("{}\n", wrapped(rank_subject_text(report), 0, 2));
    print_line("of", output_of(report));
    if (report.partitions.size() == 1)
        print_line("side A", fmt::format("{} ({})", left_text(first.left), first.name));
    print_line("templates", report.templates);
    print_line("matrix", matrix_of(first));
    print_line("tolerance", tolerance_of(report, first));
    if (first.bound && report.partitions.size() == 1)
        print_line("bound", fmt::format("{}, for any weights", *first.bound));
    print_line("cost", fmt::format("{:.3g} s", report.seconds));
    print_ranks(report);
    fmt::print("\n{}",
               wrapped("Measured in doubles: singular values above the tolerance. The effective rank is "
                       "exp(entropy) of the values over their sum.",
                       0));
    if (any(report, &NumericRank::saturated))
        fmt::print(
            "{}", wrapped("Saturated (>=): the matrix is too small to show a larger rank. Raise --size.", 0));
    if (any(report, &NumericRank::fades))
        fmt::print("{}", wrapped("Without a gap (~): the values decrease through the tolerance; the number "
                                 "shows the limit of doubles, not of the network.",
                                 0));
}

void print_spectra(const probe::SpectraReport& report) {
    fmt::print("{}", wrapped(report.subject.spec, 0, 2));
    fmt::print("{}\n\nsingular values\n\n", report.subject.weights);
    print_values(report);
    fmt::print("\ncompared with a matrix of independent entries with the same mean square\n\n");
    print_laws(report);
    fmt::print(
        "\n{}",
        wrapped("copies: the layer is I (x) W with this number of copies of the matrix and repeats its "
                "values; density: the share of the layer's entries that exist. edges: limits of the values "
                "of independent entries (Marchenko and Pastur); above: number of values above the upper edge "
                "by more than chance; distance: largest difference between the two distributions, 0 to 1.",
                0));
}

void print_cka(const probe::CkaReport& report, bool all_pairs) {
    fmt::print("{}", wrapped(fmt::format("first: {}, {}", report.first.spec, report.first.weights), 0, 2));
    fmt::print("{}\n",
               wrapped(fmt::format("second: {}, {}", report.second.spec, report.second.weights), 0, 2));
    print_line("measure", report.unbiased ? "linear CKA, HSIC without bias" : "linear CKA");
    print_line("inputs", fmt::format("{} examples: {}", report.examples, report.inputs));
    fmt::print("\n");
    if (all_pairs)
        print_all_pairs(report);
    else
        print_best_matches(report);
}

}  // namespace plimsoll::cli

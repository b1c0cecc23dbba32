#include "plimsoll/cli/rank/rank_text.h"

#include <algorithm>
#include <map>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

using rank::Agreement;
using rank::PartitionReport;
using rank::RankBound;
using rank::RankReport;
using rank::RunReport;

constexpr double digits_per_trit = 0.4771212547196624;

void print_line(std::string_view label, const std::string& text) { fmt::print("{}", labelled(label, text)); }

std::string output_text(const rank::NetworkFacts& facts, rank::OutputIndex output) {
    return facts.split.by_position ? fmt::format("coordinate {} at position {}", output.row, output.col)
                                   : fmt::format("entry {},{}", output.row, output.col);
}

// "1+10+55+(220)": pieces by degree, those in brackets follow from others.
std::string pieces_text(const RunReport& run) {
    std::vector<std::string> words;
    for (const auto& piece : run.pieces)
        words.push_back(
            fmt::format("{}{}{}", piece.implied ? "(" : "", piece.rank, piece.implied ? ")" : ""));
    return join(words, " + ");
}

std::string runs_text(const PartitionReport& partition) {
    std::vector<std::string> words;
    for (const auto& run : partition.runs)
        words.push_back(fmt::format("{} mod {} seed {}", run.rank, run.prime, run.seed));
    return join(words, "; ");
}

// "size 130, slack 20"; with blocks also the largest that was eliminated.
std::string matrix_text(const RunReport& run) {
    const std::string text = fmt::format("size {}, slack {}", run.size, run.slack);
    if (run.pieces.size() == 1) return text;
    const auto& largest =
        *std::max_element(run.pieces.begin(), run.pieces.end(), [](const auto& a, const auto& b) {
            return std::pair(!a.implied, a.rank) < std::pair(!b.implied, b.rank);
        });
    return fmt::format("{}; {} blocks, the largest {} x {}", text, run.pieces.size(), largest.rows,
                       largest.cols);
}

void print_rank_run(const RankReport& report) {
    const RunReport& run = report.best_run();
    print_line("made by", fmt::format("{}, {}", to_text(run.construction), run.backend));
    print_line("runs", runs_text(report.best_partition()));
    print_line("matrix", matrix_text(run));
    if (run.pieces.size() > 1) print_line("by degree", pieces_text(run));
    if (report.attained.empty() && report.exact)
        print_line("error", fmt::format("probability at most {}", rank::error_text(run.error_log10)));
    print_line("cost",
               fmt::format("{:.3g} s, {}", report.seconds, human_bytes(static_cast<double>(run.bytes))));
}

Mark bound_mark(const RankBound& bound) {
    if (bound.agreement == Agreement::violated) return Mark::act;
    if (bound.agreement == Agreement::undecided) return Mark::undecided;
    if (bound.agreement == Agreement::attained) return Mark::advised;
    return bound.sound ? Mark::passed : Mark::note;
}

std::string value_text(const RankBound& bound) {
    if (!bound.value) return fmt::format("10^{:.2f}", bound.log3 * digits_per_trit);
    return bound.value->text();
}

// "attained, proved; any balanced split"
std::string reading_of(const RankBound& bound) {
    const std::string text = fmt::format("{}, {}", to_text(bound.agreement), bound.standing);
    return bound.note.empty() ? text : text + "; " + bound.note;
}

void print_bounds(const std::vector<RankBound>& bounds) {
    if (bounds.empty()) return;
    Table table({{"bound", Align::left}, {"", Align::left}, {"value"}, {"reading", Align::left}});
    for (const auto& bound : bounds) {
        table.add({bound.id, bound.side == theory::Side::upper ? "upper" : "lower", value_text(bound),
                   reading_of(bound)},
                  bound_mark(bound));
    }
    fmt::print("\n");
    table.print();
}

struct Tally {
    std::size_t count = 0;
    std::string example;
};

void print_tally(const std::map<std::size_t, Tally, std::greater<>>& tally, const char* what) {
    Table table({{"rank"}, {what}, {"for example", Align::left}});
    for (const auto& [rank, each] : tally)
        table.add({fmt::format("{}", rank), fmt::format("{}", each.count), each.example});
    fmt::print("\n");
    table.print();
}

void print_partitions(const RankReport& report) {
    std::map<std::size_t, Tally, std::greater<>> tally;
    for (const auto& partition : report.partitions) {
        Tally& each = tally[partition.best().rank];
        if (each.count++ == 0) each.example = "A = " + left_text(partition.left);
    }
    print_tally(tally, "partitions");
}

std::string subject_of(const std::string& spec, std::optional<std::int64_t> positions) {
    return positions ? fmt::format("{}, {} positions", spec, *positions) : spec;
}

std::string place_text(const rank::OutputRank& place) {
    return fmt::format("{}{}: output {},{}, A = {}", place.exact ? "" : "at least ", place.rank,
                       place.output.row, place.output.col, left_text(place.left));
}

}  // namespace

std::string left_text(const std::vector<std::size_t>& left) {
    constexpr std::size_t longest = 16;
    const std::vector<std::size_t> shown(
        left.begin(), left.begin() + static_cast<std::ptrdiff_t>(std::min(longest, left.size())));
    return fmt::format("{}{}", fmt::join(shown, ","), left.size() > longest ? ",..." : "");
}

void print_rank(const RankReport& report) {
    fmt::print("{}", wrapped(subject_of(report.spec, report.positions), 0, 2));
    fmt::print("\n");
    print_line("rank", report.exact ? fmt::format("{}, exact", report.rank)
                                    : fmt::format("at least {}", report.rank));
    print_line("of", output_text(report.facts, report.output));
    print_line("side A",
               fmt::format("{} ({})", left_text(report.best_partition().left), report.best_partition().name));
    print_rank_run(report);
    if (report.lists_partitions) print_partitions(report);
    print_bounds(report.bounds);
    fmt::print("\n{}", wrapped(certifies(report), 0));
    if (const auto text = warning(report); !text.empty()) fmt::print("{}", wrapped(text, 0));
    if (!report.exact) fmt::print("To continue, raise --max-size or --max-memory.\n");
}

void print_sup_inf(const rank::SupInfReport& report) {
    fmt::print("{}\n", wrapped(subject_of(report.spec, report.positions), 0, 2));
    print_line("sup-sep", place_text(report.sup));
    print_line("inf-sep", place_text(report.inf));
    print_line("cost", fmt::format("{:.3g} s", report.seconds));
    std::map<std::size_t, Tally, std::greater<>> tally;
    for (const auto& each : report.cases) {
        Tally& entry = tally[each.rank];
        if (entry.count++ == 0)
            entry.example =
                fmt::format("{},{}  A = {}", each.output.row, each.output.col, left_text(each.left));
    }
    print_tally(tally, "cases");
    const std::string all = report.partitions < (std::uint64_t{1} << 63)
                                ? fmt::format("{}", report.partitions)
                                : "more than 10^18";
    fmt::print(
        "\n{}",
        wrapped(report.enumerated
                    ? fmt::format("Enumerated: all {} balanced partitions with all {} outputs.", all,
                                  report.outputs)
                    : fmt::format("Sampled: {} of {} balanced partitions with {} outputs each. The true "
                                  "sup may be larger and the inf smaller.",
                                  report.cases.size(), all, report.outputs),
                0));
}

}  // namespace plimsoll::cli

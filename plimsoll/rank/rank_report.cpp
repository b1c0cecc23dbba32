#include "plimsoll/rank/rank_report.h"

#include <algorithm>

#include "plimsoll/base/format.h"

namespace plimsoll::rank {
namespace {

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json piece_json(const PieceReport& piece) {
    return {{"name", piece.name},       {"rank", piece.rank},           {"rows", piece.rows},
            {"cols", piece.cols},       {"slack", piece.slack},         {"implied", piece.implied},
            {"certain", piece.certain}, {"saturated", piece.saturated}, {"bytes", piece.bytes},
            {"seconds", piece.seconds}, {"backend", piece.backend}};
}

Json bound_json(const RankBound& bound) {
    return {{"id", bound.id},
            {"side", bound.side == theory::Side::upper ? "upper" : "lower"},
            {"value", bound.value ? Json(bound.value->text()) : Json()},
            {"log3", bound.log3},
            {"standing", bound.standing},
            {"sound", bound.sound},
            {"note", bound.note},
            {"agreement", to_text(bound.agreement)}};
}

Json partition_json(const PartitionReport& partition) {
    const RunReport& best = partition.best();
    Json ranks = Json::array();
    for (const auto& run : partition.runs) ranks.push_back(run.rank);
    return {{"name", partition.name},     {"left", partition.left}, {"rank", best.rank},  {"ranks", ranks},
            {"exact", partition.exact()}, {"size", best.size},      {"slack", best.slack}};
}

template <class Value>
std::vector<Value> distinct(const std::vector<RunReport>& runs, Value RunReport::* member) {
    std::vector<Value> values;
    for (const auto& run : runs) {
        if (std::find(values.begin(), values.end(), run.*member) == values.end())
            values.push_back(run.*member);
    }
    return values;
}

std::string places(const RankReport& report) {
    return report.partitions.size() > 1 ? "for at least one of these partitions" : "for this partition";
}

std::string equality_text(const RankReport& report) {
    const RunReport& run = report.best_run();
    if (!report.attained.empty()) {
        return fmt::format("No weights have more than {} ({}, attained), so it equals {} for almost all.",
                           report.rank, report.attained, report.rank);
    }
    if (!report.exact) {
        return "The matrix was not large enough to say more: the rank may be higher.";
    }
    const std::size_t runs = report.best_partition().runs.size();
    return fmt::format(
        "For these weights modulo {} it equals {}{}. That no other weights have more is supported by {} "
        "run{}, not by a proof.",
        run.prime, report.rank,
        run.error_log10
            ? fmt::format(", with a probability of error of at most {}", error_text(run.error_log10))
            : ", with certainty",
        runs, runs == 1 ? "" : "s");
}

}  // namespace

const RunReport& PartitionReport::best() const {
    return *std::max_element(runs.begin(), runs.end(),
                             [](const RunReport& a, const RunReport& b) { return a.rank < b.rank; });
}

bool PartitionReport::exact() const {
    return best().meets_bound() ||
           std::all_of(runs.begin(), runs.end(), [](const RunReport& run) { return run.exact; });
}

std::string error_text(std::optional<double> error_log10) {
    if (!error_log10) return "0";
    return *error_log10 >= 0 ? "1" : fmt::format("10^{:.1f}", *error_log10);
}

std::string certifies(const RankReport& report) {
    return fmt::format("Almost all real weights have separation rank at least {} {}. {}", report.rank,
                       places(report), equality_text(report));
}

std::string warning(const RankReport& report) {
    const auto& runs = report.best_partition().runs;
    const auto trusted = [](const RunReport& run) { return run.prime >= smallest_trusted_prime; };
    if (!report.attained.empty() || std::any_of(runs.begin(), runs.end(), trusted)) return "";
    return fmt::format(
        "Warning: weights and samples modulo {} are often special, so this rank may be far too low; a prime "
        "above "
        "{} settles it.",
        report.best_run().prime, smallest_trusted_prime);
}

Json to_json(const RunReport& run) {
    Json pieces = Json::array();
    for (const auto& piece : run.pieces) pieces.push_back(piece_json(piece));
    return {{"prime", run.prime},
            {"seed", run.seed},
            {"rank", run.rank},
            {"exact", run.exact},
            {"saturated", run.saturated},
            {"size", run.size},
            {"slack", run.slack},
            {"error_probability_log10", number_or_null(run.error_log10)},
            {"bound", run.bound ? Json(*run.bound) : Json()},
            {"construction", to_text(run.construction)},
            {"backend", run.backend},
            {"bytes", run.bytes},
            {"seconds", run.seconds},
            {"pieces", pieces}};
}

Json to_json(const RankReport& report) {
    const RunReport& best = report.best_run();
    const PartitionReport& partition = report.best_partition();
    Json runs = Json::array(), bounds = Json::array();
    for (const auto& run : partition.runs) runs.push_back(to_json(run));
    for (const auto& bound : report.bounds) bounds.push_back(bound_json(bound));
    Json result = {{"spec", report.spec},
                   {"positions", report.positions ? Json(*report.positions) : Json()},
                   {"output", {report.output.row, report.output.col}},
                   {"partition", partition.name},
                   {"left", partition.left},
                   {"rank", report.rank},
                   {"exact", report.exact},
                   {"saturated", report.saturated},
                   {"prime", best.prime},
                   {"primes", distinct(partition.runs, &RunReport::prime)},
                   {"seeds", distinct(partition.runs, &RunReport::seed)},
                   {"size", best.size},
                   {"slack", best.slack},
                   {"error_probability_log10", number_or_null(best.error_log10)},
                   {"certifies", certifies(report)},
                   {"warning", warning(report).empty() ? Json() : Json(warning(report))},
                   {"bound", best.bound ? Json(*best.bound) : Json()},
                   {"attained", report.attained.empty() ? Json() : Json(report.attained)},
                   {"degree", report.facts.degree},
                   {"construction", to_text(best.construction)},
                   {"backend", best.backend},
                   {"bytes", best.bytes},
                   {"seconds", report.seconds},
                   {"bounds", bounds},
                   {"runs", runs}};
    if (report.lists_partitions) {
        result["partitions"] = Json::array();
        for (const auto& each : report.partitions) result["partitions"].push_back(partition_json(each));
    }
    return result;
}

}  // namespace plimsoll::rank

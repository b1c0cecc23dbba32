#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/probe/probe.h"

namespace plimsoll::probe {
namespace {

Json subject_json(const SubjectFacts& subject) {
    return Json{{"spec", subject.spec}, {"weights", subject.weights}};
}

Json spectrum_json(const rank::Spectrum& spectrum) {
    return Json{{"rank", spectrum.numerical_rank},
                {"tolerance", spectrum.tolerance},
                {"largest", spectrum.values.empty() ? 0 : spectrum.values.front()},
                {"stable_rank", spectrum.stable_rank},
                {"effective_rank", spectrum.effective_rank},
                {"entropy", spectrum.effective_rank > 0 ? std::log(spectrum.effective_rank) : 0},
                {"values", spectrum.values}};
}

Json rank_json(const NumericRank& rank) {
    Json json = spectrum_json(rank.spectrum);
    json["weights"] = rank.weights;
    json["saturated"] = rank.saturated;
    json["fades"] = rank.fades;
    json["gap"] = Json{{"after", rank.gap.after}, {"factor", rank.gap.factor}};
    return json;
}

Json partition_json(const NumericPartition& partition) {
    Json ranks = Json::array();
    for (const auto& rank : partition.ranks) ranks.push_back(rank_json(rank));
    Json json{{"name", partition.name}, {"left", partition.left},         {"rows", partition.rows},
              {"cols", partition.cols}, {"all_rows", partition.all_rows}, {"all_cols", partition.all_cols}};
    json["bound"] = partition.bound ? Json(*partition.bound) : Json();
    json["ranks"] = std::move(ranks);
    return json;
}

Json matrix_json(const MatrixSpectrum& matrix) {
    Json json = spectrum_json(matrix.spectrum);
    json["name"] = matrix.name;
    json["shape"] = {matrix.rows, matrix.cols};
    json["stack"] = matrix.stack;
    json["copies"] = matrix.copies;
    json["density"] = matrix.density;
    json["mean"] = matrix.mean;
    json["condition"] = std::isfinite(matrix.condition) ? Json(matrix.condition) : Json();
    json["edges"] = {matrix.low_edge, matrix.high_edge};
    json["law"] = matrix.law;
    json["outside"] = matrix.outside;
    json["distance"] = matrix.distance;
    return json;
}

}  // namespace

Gap largest_gap(const rank::Spectrum& spectrum) {
    Gap gap;
    const auto& values = spectrum.values;
    const auto counted = static_cast<std::size_t>(spectrum.numerical_rank);
    for (std::size_t k = 1; k <= counted && k < values.size(); ++k) {
        const double next = std::max(values[k], spectrum.tolerance);
        if (next > 0 && values[k - 1] / next > gap.factor) gap = {k, values[k - 1] / next};
    }
    return gap;
}

Json to_json(const NumericReport& report) {
    Json json = subject_json(report.subject);
    json["family"] = report.facts.family;
    if (report.facts.split.by_position) json["positions"] = report.facts.split.items();
    json["output"] = {report.output.row, report.output.col};
    json["templates"] = report.templates;
    json["relative_tolerance"] = report.tolerance ? Json(*report.tolerance) : Json();
    Json partitions = Json::array();
    for (const auto& partition : report.partitions) partitions.push_back(partition_json(partition));
    json["partitions"] = std::move(partitions);
    json["seconds"] = report.seconds;
    return json;
}

std::string to_csv(const NumericReport& report) {
    std::string text = "partition,weights,index,value\n";
    for (const auto& partition : report.partitions) {
        for (const auto& rank : partition.ranks) {
            for (std::size_t k = 0; k < rank.spectrum.values.size(); ++k) {
                text += fmt::format("\"{}\",\"{}\",{},{}\n", partition.name, rank.weights, k + 1,
                                    rank.spectrum.values[k]);
            }
        }
    }
    return text;
}

Json to_json(const SpectraReport& report) {
    Json json = subject_json(report.subject);
    Json matrices = Json::array();
    for (const auto& matrix : report.matrices) matrices.push_back(matrix_json(matrix));
    json["matrices"] = std::move(matrices);
    return json;
}

Json to_json(const CkaReport& report) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < report.values.rows(); ++i) {
        const auto row = report.values.view().row(i);
        rows.push_back(std::vector<double>(row.begin(), row.end()));
    }
    return Json{{"first", subject_json(report.first)}, {"second", subject_json(report.second)},
                {"first_layers", report.first_layers}, {"second_layers", report.second_layers},
                {"examples", report.examples},         {"inputs", report.inputs},
                {"unbiased", report.unbiased},         {"cka", std::move(rows)}};
}

}  // namespace plimsoll::probe

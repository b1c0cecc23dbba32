#include "plimsoll/probe/torch/spectra.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <ATen/ATen.h>

#include "plimsoll/base/format.h"
#include "plimsoll/model/init.h"
#include "plimsoll/probe/marchenko_pastur.h"
#include "plimsoll/probe/torch/guard.h"
#include "plimsoll/probe/torch/subject.h"

namespace plimsoll::probe {
namespace {

// The singular values of all matrices of a stack; the tolerance is the largest of theirs.
rank::Spectrum stack_spectrum(const torch::Tensor& stack) {
    std::vector<double> values;
    double tolerance = 0;
    for (std::int64_t k = 0; k < stack.size(0); ++k) {
        const torch::Tensor one = stack[k].clone();
        const auto spectrum =
            rank::spectrum_in_place({one.data_ptr<double>(), static_cast<std::size_t>(one.size(0)),
                                     static_cast<std::size_t>(one.size(1))});
        values.insert(values.end(), spectrum.values.begin(), spectrum.values.end());
        tolerance = std::max(tolerance, spectrum.tolerance);
    }
    return rank::summary_of(std::move(values), tolerance);
}

void add_law(MatrixSpectrum& result, const torch::Tensor& stack) {
    const double mean_square = stack.square().mean().item<double>();
    if (!(mean_square > 0)) return;
    const MarchenkoPastur law(static_cast<double>(result.rows), static_cast<double>(result.cols),
                              mean_square);
    const auto& values = result.spectrum.values;
    result.low_edge = law.low_edge();
    result.high_edge = law.high_edge();
    result.outside =
        std::count_if(values.begin(), values.end(), [&](double value) { return value > law.chance_limit(); });
    result.distance = distance_to(law, values);
    for (std::size_t k = 0; k < values.size(); ++k)
        result.law.push_back(
            law.value_at(1 - (static_cast<double>(k) + 0.5) / static_cast<double>(values.size())));
}

Status check_size(const WeightMatrix& matrix) {
    constexpr std::int64_t widest = 16'384;
    if (std::min(matrix.values.size(1), matrix.values.size(2)) <= widest) return {};
    return unsupported(
        matrix.name,
        fmt::format("must be at most {} wide for singular values, is {} x {}; --only selects other matrices",
                    widest, matrix.values.size(1), matrix.values.size(2)));
}

Result<SpectraReport> spectra_report(const SpectraQuestion& question, const ProgressCallback& progress) {
    PLIMSOLL_RETURN_IF_ERROR(rank::prepare_singular_values());
    PLIMSOLL_ASSIGN(subject, open_subject(question.subject, torch::kCPU));
    PLIMSOLL_ASSIGN(init,
                    model::resolve_initialisation(subject.config.model.init, subject.config.model.spec));
    const auto matrices = weight_matrices(*subject.network, init, question.only);
    if (matrices.empty())
        return not_found("only", fmt::format("no weight matrix has '{}' in its name", question.only));
    SpectraReport report{subject.facts, {}};
    for (const WeightMatrix& matrix : matrices) {
        PLIMSOLL_RETURN_IF_ERROR(check_size(matrix));
        report.matrices.push_back(spectrum_of(matrix));
        if (progress) progress(report.matrices.size(), matrices.size());
    }
    return report;
}

}  // namespace

MatrixSpectrum spectrum_of(const WeightMatrix& matrix) {
    MatrixSpectrum result{.name = matrix.name,
                          .rows = matrix.values.size(1),
                          .cols = matrix.values.size(2),
                          .stack = matrix.values.size(0),
                          .copies = matrix.copies,
                          .density = matrix.density,
                          .spectrum = stack_spectrum(matrix.values)};
    const auto& values = result.spectrum.values;
    result.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    result.condition = values.back() > result.spectrum.tolerance ? values.front() / values.back()
                                                                 : std::numeric_limits<double>::infinity();
    add_law(result, matrix.values);
    return result;
}

Result<SpectraReport> measure_spectra(const SpectraQuestion& question, const ProgressCallback& progress) {
    return guarded("spectra", [&] { return spectra_report(question, progress); });
}

}  // namespace plimsoll::probe

#include "plimsoll/fit/decide/depths.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"

namespace plimsoll::fit {

namespace {

// How far the curve runs beside what is expected of a depth, at most.
double misfit(const DepthCurve& curve, const std::vector<DepthMean>& means) {
    double most = 0;
    for (std::size_t i = 0; i < means.size(); ++i)
        most = std::max(most, std::abs(curve.at(means[i].depth) - curve.expected(i)));
    return most;
}

}  // namespace

double negligible(const RungTable& table, const DataLook& look) {
    return negligible_share * (is_share(look.goal) ? 1 : std::abs(table.mean(table.best())));
}

std::map<std::int64_t, std::size_t> depth_rows(const RungTable& table, const Proposal& proposal,
                                               const Candidate& like) {
    std::map<std::int64_t, std::size_t> rows;
    for (const auto& candidate : proposal.candidates) {
        const auto row = table.row(candidate.id);
        if (row && candidate.family == like.family && candidate.input.name == like.input.name)
            rows.emplace(candidate.depth, *row);
    }
    return rows;
}

std::string layers(std::int64_t depth) {
    return fmt::format("{} {}", depth, depth == 1 ? "layer" : "layers");
}

std::optional<RungCurve> curve_of(const RungTable& table, const RungNoise& noise, const DataLook& look,
                                  const std::map<std::int64_t, std::size_t>& rows) {
    std::vector<DepthMean> means;
    std::vector<std::size_t> all;
    for (const auto& [depth, row] : rows) {
        means.push_back({real(depth), (table.lower_is_better ? 1 : -1) * table.mean(row), noise.excess(row)});
        all.push_back(row);
    }
    const double scale = negligible(table, look);
    auto curve = DepthCurve::make(means, noise.of_means(all), scale / negligible_share);
    if (!curve) return std::nullopt;
    // Networks that all solve a task lie on a plateau at its end, where no power of the depth runs.
    const bool plateau = is_share(look.goal) && misfit(*curve, means) > scale / 2;
    const bool joined = plateau || curve->deviation() > scale;
    return RungCurve{joined ? curve->joined() : std::move(*curve), joined};
}

}  // namespace plimsoll::fit

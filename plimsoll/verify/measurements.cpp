#include "plimsoll/verify/measurements.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "plimsoll/base/format.h"
#include "plimsoll/rank/constructions.h"
#include "plimsoll/rank/dense_matrix.h"
#include "plimsoll/rank/residues.h"

namespace plimsoll::verify {
namespace {

constexpr std::size_t slack = 20;

double power_residue(const rank::Residues& residues, double base, std::uint64_t exponent) {
    double result = 1;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1) result = residues.multiply(result, base);
        base = residues.multiply(base, base);
    }
    return result;
}

void clear_below(const rank::Residues& residues, MatrixView<double> a, std::size_t pivot, std::size_t col) {
    const double inverse =
        power_residue(residues, a(pivot, col), static_cast<std::uint64_t>(residues.p()) - 2);
    for (std::size_t i = pivot + 1; i < a.rows(); ++i) {
        const double factor = residues.multiply(a(i, col), inverse);
        if (factor == 0) continue;
        for (std::size_t j = col; j < a.cols(); ++j)
            a(i, j) = residues.reduce(a(i, j) - factor * a(pivot, j));
    }
}

std::size_t plain_rank(const rank::Residues& residues, MatrixView<double> a) {
    std::size_t rank = 0;
    for (std::size_t col = 0; col < a.cols() && rank < a.rows(); ++col) {
        std::size_t pivot = rank;
        while (pivot < a.rows() && a(pivot, col) == 0) ++pivot;
        if (pivot == a.rows()) continue;
        std::swap_ranges(a.row(pivot).begin(), a.row(pivot).end(), a.row(rank).begin());
        clear_below(residues, a, rank, col);
        ++rank;
    }
    return rank;
}

// The rank of a source by blocks of twice the size until samples are left over.
MeasuredRank source_rank(const rank::ScoreSource& source, std::size_t max_size) {
    for (std::size_t size = 64;; size *= 2) {
        const std::size_t rows = std::min({size, source.max_rows(), max_size});
        const std::size_t cols = std::min({size, source.max_cols(), max_size});
        rank::DenseMatrix<double> block(rows, cols);
        source.fill(0, 0, block.view());
        const std::size_t rank = plain_rank(rank::Residues(source.field()), block.view());
        const bool whole = rows == source.max_rows() && cols == source.max_cols();
        if (whole || rank + slack <= std::min(rows, cols)) return {rank, true};
        if (size >= max_size) return {rank, false};
    }
}

Result<rank::Partition> partition_of(const RankCase& question, const rank::SplitShape& shape) {
    if (!question.left.empty()) return rank::partition_with_left(question.left, shape);
    PLIMSOLL_ASSIGN(all, rank::parse_partitions(question.partition, shape, 1));
    PLIMSOLL_CHECK(all.size() == 1, "a case is one partition");
    return all.front();
}

Result<std::shared_ptr<const rank::Network>> network_of(const RankCase& question) {
    PLIMSOLL_ASSIGN(spec, arch::parse_spec(question.spec));
    rank::NetworkQuestion network{.seed = question.seed, .inputs = question.inputs};
    if (question.positions > 0) network.positions = question.positions;
    PLIMSOLL_ASSIGN(made, rank::network_for(spec, network));
    return std::shared_ptr<const rank::Network>(std::move(made));
}

}  // namespace

std::string RankCase::command() const {
    std::string text = "plimsoll rank " + spec;
    if (positions > 0) text += fmt::format(" --positions {}", positions);
    if (!left.empty()) {
        text += " --left " + left;
    } else if (partition != "half") {
        text += " --partition " + partition;
    }
    if (output != rank::OutputPlace{}) text += fmt::format(" --output {},{}", output.row, output.col);
    if (inputs == rank::Inputs::tokens) text += " --tokens";
    return text;
}

Result<MeasuredRank> Measurements::rank(const RankCase& question) {
    const std::string key = fmt::format("{} #{}", question.command(), question.seed);
    if (const auto it = known_.find(key); it != known_.end()) return it->second;
    PLIMSOLL_ASSIGN(measured, measure(question));
    known_[key] = measured;
    return measured;
}

Result<MeasuredRank> Measurements::measure(const RankCase& question) const {
    PLIMSOLL_ASSIGN(network, network_of(question));
    PLIMSOLL_ASSIGN(partition, partition_of(question, network->facts().split));
    PLIMSOLL_ASSIGN(list, rank::pieces_for({.network = network,
                                            .partition = partition,
                                            .output = question.output,
                                            .construction = rank::Construction::gram}));
    MeasuredRank total;
    for (const auto& piece : list.pieces) {
        const auto one = source_rank(*piece.source, limits_.max_size);
        total.rank += one.rank, total.exact = total.exact && one.exact;
    }
    return total;
}

}  // namespace plimsoll::verify

#include "plimsoll/audit/weights/head_spectra.h"

#include <algorithm>
#include <limits>

namespace plimsoll::audit {
namespace {

using rank::DenseMatrix;
using rank::Spectrum;
using DoubleMatrix = DenseMatrix<double>;
using Floats = MatrixView<const float>;

DoubleMatrix transposed_doubles(Floats matrix) {
    DoubleMatrix copy(matrix.cols(), matrix.rows());
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        for (std::size_t j = 0; j < matrix.cols(); ++j) copy(j, i) = static_cast<double>(matrix(i, j));
    }
    return copy;
}

void include(OverHeads& over, double value, std::size_t heads) {
    over.least = std::min(over.least, value);
    over.most = std::max(over.most, value);
    over.mean += value / static_cast<double>(heads);
}

// Gathers the heads of a layer.
class Heads {
  public:
    Heads(std::size_t heads, std::size_t largest_possible) {
        const OverHeads none{std::numeric_limits<double>::infinity(), 0, 0};
        ranks_ = {heads, largest_possible, none, none, none};
    }

    void add(const Spectrum& head) {
        include(ranks_.numerical, static_cast<double>(head.numerical_rank), ranks_.heads);
        include(ranks_.stable, head.stable_rank, ranks_.heads);
        include(ranks_.effective, head.effective_rank, ranks_.heads);
        values_.insert(values_.end(), head.values.begin(), head.values.end());
        tolerance_ = std::max(tolerance_, head.tolerance);
    }

    [[nodiscard]] const HeadRanks& ranks() const { return ranks_; }
    // The heads as one block-diagonal map.
    Spectrum together() { return rank::summary_of(std::move(values_), tolerance_); }

  private:
    HeadRanks ranks_;
    std::vector<double> values_;
    double tolerance_ = 0;
};

Floats rows_of_head(const DenseMatrix<float>& matrix, std::size_t head, std::size_t dim) {
    return matrix.view().block(head * dim, 0, dim, matrix.cols());
}

Floats columns_of_head(const DenseMatrix<float>& matrix, std::size_t head, std::size_t dim) {
    return matrix.view().block(0, head * dim, matrix.rows(), dim);
}

// Heads that share a value add up before it: sum over h of O_h V_g = (sum over h in g of O_h) V_g.
DoubleMatrix summed_outputs(const ValueOutput& weights, const HeadCounts& counts) {
    DoubleMatrix sum(weights.output.rows(), counts.kv_heads * counts.value_dim);
    for (std::size_t i = 0; i < sum.rows(); ++i) {
        for (std::size_t head = 0; head < counts.heads; ++head) {
            const std::size_t group = head / counts.sharing();
            for (std::size_t j = 0; j < counts.value_dim; ++j) {
                sum(i, group * counts.value_dim + j) +=
                    static_cast<double>(weights.output(i, head * counts.value_dim + j));
            }
        }
    }
    return sum;
}

// The sum over heads where it has full size: formed head by head.
Spectrum spectrum_of_formed(const ValueOutput& weights, const HeadCounts& counts, double roundoff) {
    DoubleMatrix sum(weights.output.rows(), weights.value.cols());
    for (std::size_t head = 0; head < counts.heads; ++head) {
        const DoubleMatrix output = as_doubles(columns_of_head(weights.output, head, counts.value_dim));
        const DoubleMatrix value =
            as_doubles(rows_of_head(weights.value, head / counts.sharing(), counts.value_dim));
        rank::add_product(output.view(), value.view(), sum.view());
    }
    const double tolerance =
        rank::product_tolerance(rank::norms_of(weights.output.view()), rank::norms_of(weights.value.view()),
                                roundoff, std::max(sum.rows(), sum.cols()));
    return rank::summary_of(rank::spectrum_in_place(sum.view()).values, tolerance);
}

bool is_narrow(std::size_t rows, std::size_t cols, const HeadCounts& counts) {
    return counts.kv_heads * counts.value_dim < std::min(rows, cols);
}

Spectrum spectrum_of_sum(const ValueOutput& weights, const HeadCounts& counts, double roundoff) {
    if (!is_narrow(weights.output.rows(), weights.value.cols(), counts)) {
        return spectrum_of_formed(weights, counts, roundoff);
    }
    const DoubleMatrix output = summed_outputs(weights, counts);
    const DoubleMatrix value = as_doubles(weights.value.view());
    return rank::spectrum_of_product(output.view(), value.view(), roundoff);
}

// Two factors with copies, and either their triangles or their product.
double product_bytes(std::size_t rows, std::size_t inner, std::size_t cols) {
    const auto m = static_cast<double>(rows), k = static_cast<double>(inner), n = static_cast<double>(cols);
    return 8 * (2 * (m + n) * k + (inner < std::min(rows, cols) ? 3 * k * k : m * n));
}

}  // namespace

ProductSpectra query_key_spectra(const QueryKey& weights, const HeadCounts& counts, double roundoff,
                                 const HeadDone& done) {
    Heads heads(counts.heads, counts.head_dim);
    for (std::size_t head = 0; head < counts.heads; ++head) {
        const DoubleMatrix query = transposed_doubles(rows_of_head(weights.query, head, counts.head_dim));
        const DoubleMatrix key =
            as_doubles(rows_of_head(weights.key, head / counts.sharing(), counts.head_dim));
        heads.add(rank::spectrum_of_product(query.view(), key.view(), roundoff));
        done();
    }
    return {heads.together(), heads.ranks()};
}

ProductSpectra value_output_spectra(const ValueOutput& weights, const HeadCounts& counts, double roundoff,
                                    const HeadDone& done) {
    Heads heads(counts.heads, counts.value_dim);
    for (std::size_t head = 0; counts.heads > 1 && head < counts.heads; ++head) {
        const DoubleMatrix output = as_doubles(columns_of_head(weights.output, head, counts.value_dim));
        const DoubleMatrix value =
            as_doubles(rows_of_head(weights.value, head / counts.sharing(), counts.value_dim));
        heads.add(rank::spectrum_of_product(output.view(), value.view(), roundoff));
        done();
    }
    Spectrum sum = spectrum_of_sum(weights, counts, roundoff);
    if (counts.heads == 1) heads.add(sum);
    return {std::move(sum), heads.ranks()};
}

double query_key_work_bytes(std::size_t rows, std::size_t cols, const HeadCounts& counts) {
    return product_bytes(rows, counts.head_dim, cols);
}

double value_output_work_bytes(std::size_t rows, std::size_t cols, const HeadCounts& counts) {
    const double head = product_bytes(rows, counts.value_dim, cols);
    const bool narrow = is_narrow(rows, cols, counts);
    const double sum =
        product_bytes(rows, narrow ? counts.kv_heads * counts.value_dim : counts.value_dim, cols);
    const double formed = narrow ? 0 : 8 * static_cast<double>(rows) * static_cast<double>(cols);
    return std::max(counts.heads > 1 ? head : 0, sum + formed);
}

}  // namespace plimsoll::audit

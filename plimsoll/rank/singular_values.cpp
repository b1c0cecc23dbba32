#include "plimsoll/rank/singular_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>

#include "plimsoll/base/random.h"
#include "plimsoll/rank/lapack.h"

namespace plimsoll::rank {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

double sum_of_squares(const std::vector<double>& values) {
    return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

double entropy_of_shares(const std::vector<double>& values) {
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    double entropy = 0;
    for (const double value : values) {
        const double share = value / sum;
        if (share > 0) entropy -= share * std::log(share);
    }
    return entropy;
}

template <class T>
DenseMatrix<double> copy_of(MatrixView<T> matrix) {
    DenseMatrix<double> copy(matrix.rows(), matrix.cols());
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        std::copy(matrix.row(i).begin(), matrix.row(i).end(), copy.view().row(i).begin());
    }
    return copy;
}

double normalise(std::vector<double>& vector) {
    const double norm = std::sqrt(sum_of_squares(vector));
    if (norm > 0) {
        for (double& entry : vector) entry /= norm;
    }
    return norm;
}

std::vector<double> random_unit_vector(std::size_t size) {
    RandomStream random(0, "rank/power_method");
    std::vector<double> vector(size);
    // Any direction with equal chance: normal entries, by Box and Muller.
    for (double& entry : vector) {
        const double radius = std::sqrt(-2 * std::log1p(-random.uniform()));
        entry = radius * std::cos(2 * M_PI * random.uniform());
    }
    normalise(vector);
    return vector;
}

// vector <- A^T A vector, one row of A at a time.
template <class T>
void apply_gram(MatrixView<const T> matrix, std::vector<double>& vector) {
    std::vector<double> next(vector.size());
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        const auto row = matrix.row(i);
        // Not std::inner_product: its order of summation is fixed and leaves the processor waiting.
        const double dot = std::transform_reduce(row.begin(), row.end(), vector.begin(), 0.0);
        for (std::size_t j = 0; j < row.size(); ++j) next[j] += dot * static_cast<double>(row[j]);
    }
    vector = std::move(next);
}

// An upper bound of |A|_2 but for a tiny chance; see FactorNorms.
template <class T>
double two_norm(MatrixView<const T> matrix) {
    std::vector<double> vector = random_unit_vector(matrix.cols());
    double square = 0;
    for (int step = 0; step < 60; ++step) {
        apply_gram(matrix, vector);
        square = normalise(vector);
    }
    return 1.2 * std::sqrt(square);
}

double noise_of(double frobenius_square, double row_square, double col_square) {
    return std::min(std::sqrt(frobenius_square),
                    (std::sqrt(row_square) + std::sqrt(col_square)) / std::sqrt(3.0));
}

template <class T>
double noise_of(MatrixView<const T> matrix) {
    std::vector<double> columns(matrix.cols());
    double sum = 0, largest_row = 0;
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        double square = 0;
        for (std::size_t j = 0; j < matrix.cols(); ++j) {
            const double term = static_cast<double>(matrix(i, j)) * static_cast<double>(matrix(i, j));
            columns[j] += term;
            square += term;
        }
        sum += square;
        largest_row = std::max(largest_row, square);
    }
    return noise_of(sum, largest_row,
                    columns.empty() ? 0 : *std::max_element(columns.begin(), columns.end()));
}

double largest_of(const std::vector<double>& values) {
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

// left right = Q1 (T1 T2) Q2 with orthonormal Q1, Q2 and k x k triangles.
Spectrum spectrum_of_core(MatrixView<const double> left, MatrixView<const double> right, double roundoff) {
    const std::size_t inner = left.cols();
    const auto upper = lapack::triangle_of_tall(copy_of(left).view());
    const auto lower = lapack::triangle_of_wide(copy_of(right).view());
    const MatrixView<const double> first(upper.data(), inner, inner), second(lower.data(), inner, inner);
    DenseMatrix<double> core(inner, inner);
    lapack::add_product(first, second, core.view());
    return summary_of(
        lapack::singular_values(core.view()),
        product_tolerance({noise_of(left), two_norm(first)}, {noise_of(right), two_norm(second)}, roundoff,
                          std::max(left.rows(), right.cols())));
}

}  // namespace

Status prepare_singular_values(int threads) {
    PLIMSOLL_RETURN_IF_ERROR(lapack::load());
    lapack::set_threads(threads > 0 ? threads
                                    : std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
    return {};
}

Spectrum summary_of(std::vector<double> values, double tolerance) {
    Spectrum spectrum{std::move(values), tolerance};
    std::sort(spectrum.values.begin(), spectrum.values.end(), std::greater<>());
    const double largest = spectrum.values.empty() ? 0 : spectrum.values.front();
    if (!(largest > 0)) return spectrum;
    spectrum.numerical_rank = std::count_if(spectrum.values.begin(), spectrum.values.end(),
                                            [tolerance](double value) { return value > tolerance; });
    spectrum.stable_rank = sum_of_squares(spectrum.values) / (largest * largest);
    spectrum.effective_rank = std::exp(entropy_of_shares(spectrum.values));
    return spectrum;
}

Spectrum spectrum_in_place(MatrixView<double> matrix, double roundoff) {
    const double larger = static_cast<double>(std::max(matrix.rows(), matrix.cols()));
    const double noise =
        noise_of(MatrixView<const double>(matrix.data(), matrix.rows(), matrix.cols(), matrix.stride()));
    auto values = lapack::singular_values(matrix);
    const double tolerance = roundoff * noise + larger * eps * largest_of(values);
    return summary_of(std::move(values), tolerance);
}

Spectrum spectrum_of(MatrixView<const double> matrix, double roundoff) {
    auto copy = copy_of(matrix);
    return spectrum_in_place(copy.view(), roundoff);
}

Spectrum spectrum_of_product(MatrixView<const double> left, MatrixView<const double> right, double roundoff) {
    PLIMSOLL_CHECK(left.cols() == right.rows(), "shapes of a product");
    if (left.cols() < std::min(left.rows(), right.cols())) return spectrum_of_core(left, right, roundoff);
    DenseMatrix<double> product(left.rows(), right.cols());
    lapack::add_product(left, right, product.view());
    const double tolerance =
        product_tolerance(norms_of(left), norms_of(right), roundoff, std::max(left.rows(), right.cols()));
    return summary_of(lapack::singular_values(product.view()), tolerance);
}

Spectrum spectrum_from_gram(MatrixView<double> gram, double largest_row_norm, double roundoff) {
    double trace = 0, largest_column = 0;
    for (std::size_t i = 0; i < gram.rows(); ++i) {
        trace += gram(i, i);
        largest_column = std::max(largest_column, gram(i, i));
    }
    const double noise = noise_of(trace, largest_row_norm * largest_row_norm, largest_column);
    auto values = lapack::eigenvalues(gram);
    for (double& value : values) value = std::sqrt(std::max(0.0, value));
    const double resolved = std::sqrt(static_cast<double>(values.size()) * eps) * largest_of(values);
    return summary_of(std::move(values), roundoff * noise + resolved);
}

FactorNorms norms_of(MatrixView<const double> matrix) { return {noise_of(matrix), two_norm(matrix)}; }
FactorNorms norms_of(MatrixView<const float> matrix) { return {noise_of(matrix), two_norm(matrix)}; }

// (A + E)(B + F) - A B = E B + A F + E F.
double product_tolerance(const FactorNorms& left, const FactorNorms& right, double roundoff,
                         std::size_t larger) {
    const double first_order = left.noise * right.two + left.two * right.noise;
    return roundoff * (first_order + roundoff * left.noise * right.noise) +
           static_cast<double>(larger) * eps * left.two * right.two;
}

void add_product(MatrixView<const double> left, MatrixView<const double> right, MatrixView<double> sum) {
    lapack::add_product(left, right, sum);
}

void add_gram(MatrixView<const double> matrix, MatrixView<double> gram) { lapack::add_gram(matrix, gram); }

}  // namespace plimsoll::rank

#include "tests/support/bert_layer.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::testing {
namespace {

using nets::Head;
using nets::Matrix;
using nets::RealRing;

// Columns that are positive and sum to one, proportional to the exponentials of the scores.
void softmax_columns(Matrix<double>& scores) {
    for (std::size_t i = 0; i < scores.cols(); ++i) {
        double largest = scores(0, i), total = 0;
        for (std::size_t j = 0; j < scores.rows(); ++j) largest = std::max(largest, scores(j, i));
        for (std::size_t j = 0; j < scores.rows(); ++j) total += std::exp(scores(j, i) - largest);
        for (std::size_t j = 0; j < scores.rows(); ++j) {
            scores(j, i) = std::exp(scores(j, i) - largest) / total;
        }
    }
}

void normalise_columns(Matrix<double>& x, double epsilon) {
    const auto size = static_cast<double>(x.rows());
    for (std::size_t i = 0; i < x.cols(); ++i) {
        double mean = 0, variance = 0;
        for (std::size_t p = 0; p < x.rows(); ++p) mean += x(p, i) / size;
        for (std::size_t p = 0; p < x.rows(); ++p) variance += (x(p, i) - mean) * (x(p, i) - mean) / size;
        for (std::size_t p = 0; p < x.rows(); ++p) x(p, i) = (x(p, i) - mean) / std::sqrt(variance + epsilon);
    }
}

}  // namespace

Matrix<double> softmax_attention(const std::vector<Head<double>>& heads, const Matrix<double>& x) {
    const RealRing ring;
    Matrix<double> y(x.rows(), x.cols());  // (d_x, N)
    for (const Head<double>& head : heads) {
        const double temperature = 1.0 / std::sqrt(static_cast<double>(head.query.rows()));
        auto scores = scale(ring, temperature,
                            product(ring, transpose(product(ring, head.key, x)),
                                    product(ring, head.query, x)));  // (N, N): rows are j, columns i
        softmax_columns(scores);
        y = sum(ring, y, product(ring, head.output, product(ring, head.value, x), scores));
    }
    return y;
}

Matrix<double> bert_layer(const BertLayer& layer, const Matrix<double>& x, double epsilon) {
    const RealRing ring;
    auto z = sum(ring, softmax_attention(layer.heads, x), x);  // (d_x, N)
    normalise_columns(z, epsilon);
    const auto hidden = map(product(ring, layer.widen, z), [](double a) { return std::max(a, 0.0); });
    return product(ring, layer.narrow, hidden);
}

}  // namespace plimsoll::testing

#include "plimsoll/fit/decide/curve_form.h"

#include <cmath>
#include <numeric>

#include "plimsoll/base/check.h"

namespace plimsoll::fit {
namespace {

using Matrix = std::array<Coefficients, curve_coefficients>;

// The lower triangular root of a positive matrix.
Matrix root_of(const Matrix& matrix) {
    Matrix root{};
    for (std::size_t i = 0; i < curve_coefficients; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double left = matrix[i][j];
            for (std::size_t k = 0; k < j; ++k) left -= root[i][k] * root[j][k];
            PLIMSOLL_CHECK(i != j || left > 0, "a curve through too few depths");
            root[i][j] = i == j ? std::sqrt(left) : left / root[j][j];
        }
    }
    return root;
}

// x with root x = right.
Coefficients solved_forward(const Matrix& root, Coefficients right) {
    for (std::size_t i = 0; i < curve_coefficients; ++i) {
        for (std::size_t k = 0; k < i; ++k) right[i] -= root[i][k] * right[k];
        right[i] /= root[i][i];
    }
    return right;
}

// x with root^T x = right.
Coefficients solved_backward(const Matrix& root, Coefficients right) {
    for (std::size_t i = curve_coefficients; i-- > 0;) {
        for (std::size_t k = i + 1; k < curve_coefficients; ++k) right[i] -= root[k][i] * right[k];
        right[i] /= root[i][i];
    }
    return right;
}

}  // namespace

Coefficients CurveForm::basis(double depth) const {
    return {1, std::pow(depth, -fall), rise == 0 ? std::log(depth) : std::pow(depth, rise)};
}

double curve_value(const Coefficients& coefficients, const Coefficients& basis) {
    return std::inner_product(basis.begin(), basis.end(), coefficients.begin(), 0.0);
}

FormFit::FormFit(const CurveForm& form, const std::vector<double>& depths, const std::vector<double>& values,
                 const std::vector<double>& weights)
    : form_(form) {
    // Around the first value, so that a common level costs no digits.
    Matrix normal{};
    Coefficients right{};
    for (std::size_t n = 0; n < depths.size(); ++n) {
        const Coefficients row = form.basis(depths[n]);
        for (std::size_t i = 0; i < curve_coefficients; ++i) {
            right[i] += weights[n] * row[i] * (values[n] - values[0]);
            for (std::size_t j = 0; j < curve_coefficients; ++j) normal[i][j] += weights[n] * row[i] * row[j];
        }
    }
    root_ = root_of(normal);
    best_ = solved_backward(root_, solved_forward(root_, right));
    best_[0] += values[0];
    for (std::size_t n = 0; n < depths.size(); ++n)
        squares_ += weights[n] * std::pow(values[n] - curve_value(best_, form.basis(depths[n])), 2);
}

Coefficients FormFit::drawn(double deviation, const Coefficients& normals) const {
    Coefficients strayed = solved_backward(root_, normals);
    for (std::size_t i = 0; i < curve_coefficients; ++i) strayed[i] = best_[i] + deviation * strayed[i];
    return strayed;
}

}  // namespace plimsoll::fit

#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace plimsoll::fit {

constexpr std::size_t curve_coefficients = 3;
using Coefficients = std::array<double, curve_coefficients>;

// a + b L^-fall + c r(L), where r is ln L for a rise of 0, otherwise L^rise.
struct CurveForm {
    double fall = 0, rise = 0;

    // 1, L^-fall and r at a depth.
    [[nodiscard]] Coefficients basis(double depth) const;
};

// The value of a form with these coefficients where it has this basis.
double curve_value(const Coefficients& coefficients, const Coefficients& basis);

// What shallow networks lose falls as one of these powers, what deep ones lose rises as one of these.
inline constexpr std::array<CurveForm, 9> curve_forms{
    {{0.5, 0}, {1, 0}, {2, 0}, {0.5, 0.5}, {1, 0.5}, {2, 0.5}, {0.5, 1}, {1, 1}, {2, 1}}};

// One form through values at depths by least squares with weights.
class FormFit {
  public:
    FormFit(const CurveForm& form, const std::vector<double>& depths, const std::vector<double>& values,
            const std::vector<double>& weights);

    [[nodiscard]] const CurveForm& form() const { return form_; }
    // The weighted sum of squares that it leaves.
    [[nodiscard]] double squares() const { return squares_; }
    [[nodiscard]] const Coefficients& best() const { return best_; }
    // Coefficients as noise of that deviation, in a value of weight 1, lets them stray; `normals` are three
    // normal numbers.
    [[nodiscard]] Coefficients drawn(double deviation, const Coefficients& normals) const;

  private:
    CurveForm form_;
    std::array<Coefficients, curve_coefficients> root_{};  // of the normal matrix: lower, Cholesky
    Coefficients best_{};
    double squares_ = 0;
};

}  // namespace plimsoll::fit

#include "plimsoll/theory/numbers/power_series.h"

#include <utility>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/numbers/flint_headers.h"
#include "plimsoll/theory/numbers/flint_integer.h"

namespace plimsoll::theory {

struct Series::Polynomial {
    Polynomial() { fmpz_poly_init(value); }
    ~Polynomial() { fmpz_poly_clear(value); }
    Polynomial(const Polynomial&) = delete;
    Polynomial& operator=(const Polynomial&) = delete;
    fmpz_poly_t value;
};

Series::Series(std::int64_t length) : length_(length), polynomial_(new Polynomial) {}

Series::Series(std::int64_t length, const std::vector<Integer>& coefficients) : Series(length) {
    for (std::size_t i = 0; i < coefficients.size() && static_cast<std::int64_t>(i) < length; ++i) {
        fmpz_poly_set_coeff_fmpz(polynomial_->value, static_cast<slong>(i), as_fmpz(coefficients[i]));
    }
}

Series::Series(const Series& other) : Series(other.length_) {
    fmpz_poly_set(polynomial_->value, other.polynomial_->value);
}
Series::Series(Series&& other) noexcept
    : length_(other.length_), polynomial_(std::exchange(other.polynomial_, nullptr)) {}
Series& Series::operator=(const Series& other) {
    Series copy(other);
    return *this = std::move(copy);
}
Series& Series::operator=(Series&& other) noexcept {
    std::swap(length_, other.length_);
    std::swap(polynomial_, other.polynomial_);
    return *this;
}
Series::~Series() { delete polynomial_; }

Integer Series::coefficient(std::int64_t index) const {
    Integer out;
    fmpz_poly_get_coeff_fmpz(as_fmpz(out), polynomial_->value, index);
    return out;
}

Series Series::shifted(std::int64_t places) const {
    Series out(length_);
    fmpz_poly_shift_left(out.polynomial_->value, polynomial_->value, places);
    fmpz_poly_truncate(out.polynomial_->value, length_);
    return out;
}

Series Series::inverse() const {
    const Integer constant = coefficient(0);
    PLIMSOLL_CHECK(constant == 1 || constant == -1, "only a series with unit constant term has an inverse");
    Series out(length_);
    fmpz_poly_inv_series(out.polynomial_->value, polynomial_->value, length_);
    return out;
}

Series operator+(const Series& a, const Series& b) {
    Series out(a.length_);
    fmpz_poly_add(out.polynomial_->value, a.polynomial_->value, b.polynomial_->value);
    return out;
}
Series operator-(const Series& a, const Series& b) {
    Series out(a.length_);
    fmpz_poly_sub(out.polynomial_->value, a.polynomial_->value, b.polynomial_->value);
    return out;
}
Series operator*(const Series& a, const Series& b) {
    Series out(a.length_);
    fmpz_poly_mullow(out.polynomial_->value, a.polynomial_->value, b.polynomial_->value, a.length_);
    return out;
}

}  // namespace plimsoll::theory

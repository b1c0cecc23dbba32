// Averages over O(q) by the classical determinants (Weyl integration; Toeplitz plus Hankel). With f(z) = (1 -
// s z)^-d and c_n the Fourier coefficients of f(z) f(1/z), q = 2l or 2l + 1:
//   O+(2l)      det(c_{j-k} + c_{j+k}) / 2,  0 <= j, k < l      O-(2l)      f(1) f(-1) det(c_{j-k} -
//   c_{j+k+2}),  j, k < l - 1 O+(2l + 1)  f(1) det(c_{j-k} - c_{j+k+1}),  j, k < l        O-(2l + 1)  f(-1)
//   det(c_{j-k} + c_{j+k+1}),  j, k < l
// and the average over O(q) is half the sum. A weight (1 - u z)^-1 taken to first order in u brings in the
// trace.
#include "plimsoll/theory/capacity/orthogonal_average.h"

#include <functional>
#include <type_traits>
#include <utility>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/numbers/power_series.h"

namespace plimsoll::theory {
namespace {

// a + b u with u^2 = 0.
struct Dual {
    Series value, slope;
};

Dual operator+(const Dual& x, const Dual& y) { return {x.value + y.value, x.slope + y.slope}; }
Dual operator-(const Dual& x, const Dual& y) { return {x.value - y.value, x.slope - y.slope}; }
Dual operator*(const Dual& x, const Dual& y) {
    return {x.value * y.value, x.value * y.slope + x.slope * y.value};
}
Dual inverse(const Dual& x) {
    const Series value = x.value.inverse();
    return {value, Series(value.length()) - x.slope * value * value};
}

Series inverse(const Series& x) { return x.inverse(); }

// The element with this value and, where the type has one, this slope.
template <class T>
T element(const Series& value, const Series& slope) {
    if constexpr (std::is_same_v<T, Dual>)
        return {value, slope};
    else
        return value;
}

template <class T>
using Matrix = std::vector<std::vector<T>>;

// At s = 0 the matrices are the identity, so every pivot is a unit and no exchange is needed.
template <class T>
T determinant(Matrix<T> matrix, std::int64_t length) {
    T product = element<T>(Series(length, {Integer(1)}), Series(length));
    const std::size_t size = matrix.size();
    for (std::size_t p = 0; p < size; ++p) {
        product = product * matrix[p][p];
        const T reciprocal = inverse(matrix[p][p]);
        for (std::size_t row = p + 1; row < size; ++row) {
            const T factor = matrix[row][p] * reciprocal;
            for (std::size_t col = p + 1; col < size; ++col) {
                matrix[row][col] = matrix[row][col] - factor * matrix[p][col];
            }
        }
    }
    return product;
}

// T = Series for the invariants alone, Dual for the trace as well.
template <class T>
class Averages {
  public:
    Averages(std::int64_t d, std::int64_t q, std::int64_t length) : d_(d), q_(q), length_(length) {
        std::vector<Series> plain;
        for (std::int64_t n = 0; n <= q + 2; ++n) plain.push_back(fourier(n));
        for (std::int64_t n = 0; n <= q + 1; ++n) {
            const auto i = static_cast<std::size_t>(n);
            coefficients_.push_back(element<T>(plain[i], plain[i == 0 ? 1 : i - 1] + plain[i + 1]));
        }
    }

    // Twice the average over O(q).
    T doubled() { return q_ % 2 == 0 ? even() : odd(); }

  private:
    // c_n = sum_m ((d, m)) ((d, m + n)) s^(2m + n).
    [[nodiscard]] Series fourier(std::int64_t n) const {
        std::vector<Integer> terms(static_cast<std::size_t>(length_));
        for (std::int64_t m = 0; 2 * m + n < length_; ++m) {
            terms[static_cast<std::size_t>(2 * m + n)] = multiset(d_, m) * multiset(d_, m + n);
        }
        return {length_, terms};
    }

    // f(+-1) = (1 -+ s)^-d (1 +- u).
    [[nodiscard]] T end_value(int sign) const {
        std::vector<Integer> terms(static_cast<std::size_t>(length_));
        for (std::int64_t m = 0; m < length_; ++m) {
            terms[static_cast<std::size_t>(m)] = multiset(d_, m) * Integer(sign < 0 && m % 2 == 1 ? -1 : 1);
        }
        const Series value(length_, terms);
        return element<T>(value, sign > 0 ? value : Series(length_) - value);
    }

    [[nodiscard]] const T& c(std::int64_t n) const {
        return coefficients_[static_cast<std::size_t>(std::abs(n))];
    }

    [[nodiscard]] T minor(std::int64_t size,
                          const std::function<T(std::int64_t, std::int64_t)>& entry) const {
        Matrix<T> matrix(static_cast<std::size_t>(size));
        for (std::int64_t j = 0; j < size; ++j) {
            for (std::int64_t k = 0; k < size; ++k)
                matrix[static_cast<std::size_t>(j)].push_back(entry(j, k));
        }
        return determinant<T>(std::move(matrix), length_);
    }

    [[nodiscard]] T even() const {
        const std::int64_t half = q_ / 2;
        // Row 0 of O+ is 2 c_k; the factor 2 cancels the 1/2 in front.
        const T plus = minor(half, [this](auto j, auto k) { return j == 0 ? c(k) : c(j - k) + c(j + k); });
        const T minus = minor(half - 1, [this](auto j, auto k) { return c(j - k) - c(j + k + 2); });
        return plus + end_value(1) * end_value(-1) * minus;
    }

    [[nodiscard]] T odd() const {
        const std::int64_t half = q_ / 2;
        const T plus = minor(half, [this](auto j, auto k) { return c(j - k) - c(j + k + 1); });
        const T minus = minor(half, [this](auto j, auto k) { return c(j - k) + c(j + k + 1); });
        return end_value(1) * plus + end_value(-1) * minus;
    }

    std::int64_t d_, q_, length_;
    std::vector<T> coefficients_;
};

std::vector<Integer> halved(const Series& series) {
    std::vector<Integer> out;
    for (std::int64_t i = 0; i < series.length(); ++i) out.push_back(exact_div(series.coefficient(i), 2));
    return out;
}

}  // namespace

std::vector<Integer> invariant_series(std::int64_t d, std::int64_t q, std::int64_t count) {
    PLIMSOLL_CHECK(d >= 1 && q >= 1 && count >= 1, "invariant_series needs positive sizes");
    return halved(Averages<Series>(d, q, count).doubled());
}

std::vector<Integer> covariant_series(std::int64_t d, std::int64_t q, std::int64_t count) {
    PLIMSOLL_CHECK(d >= 1 && q >= 1 && count >= 1, "covariant_series needs positive sizes");
    return halved(Averages<Dual>(d, q, count).doubled().slope);
}

}  // namespace plimsoll::theory

#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "plimsoll/theory/numbers/integer.h"

namespace plimsoll::theory {

// An exact fraction in lowest terms with a positive denominator.
class Rational {
  public:
    Rational(std::int64_t value = 0) : Rational(Integer(value)) {}
    Rational(Integer value) : numerator_(std::move(value)), denominator_(1) {}
    Rational(const Integer& numerator, const Integer& denominator);

    // The number a decimal text such as "1.5", "-3", "2.5e+17" or "7/2" denotes exactly, or nothing.
    static std::optional<Rational> from_text(std::string_view text);

    [[nodiscard]] const Integer& numerator() const { return numerator_; }
    [[nodiscard]] const Integer& denominator() const { return denominator_; }
    [[nodiscard]] bool is_integer() const { return denominator_ == 1; }
    [[nodiscard]] Integer floor() const { return floor_div(numerator_, denominator_); }
    // "7/2", or "3" for an integer.
    [[nodiscard]] std::string text() const;

    friend Rational operator+(const Rational& a, const Rational& b);
    friend Rational operator-(const Rational& a, const Rational& b);
    friend Rational operator*(const Rational& a, const Rational& b);
    friend Rational operator/(const Rational& a, const Rational& b);
    friend Rational pow(const Rational& base, std::uint64_t exponent);
    friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);
    friend bool operator==(const Rational& a, const Rational& b) = default;

  private:
    Integer numerator_, denominator_;
};

}  // namespace plimsoll::theory

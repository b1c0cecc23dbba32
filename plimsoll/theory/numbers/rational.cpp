#include "plimsoll/theory/numbers/rational.h"

#include "plimsoll/base/check.h"
#include "plimsoll/theory/numbers/flint_headers.h"
#include "plimsoll/theory/numbers/flint_integer.h"

namespace plimsoll::theory {
namespace {

Integer gcd(const Integer& a, const Integer& b) {
    Integer out;
    fmpz_gcd(as_fmpz(out), as_fmpz(a), as_fmpz(b));
    return out;
}

// Longer decimals than this are refused: no input needs them and they could exhaust memory.
constexpr std::size_t max_decimals = 1000;
constexpr std::int64_t max_exponent = 100'000;

}  // namespace

Rational::Rational(const Integer& numerator, const Integer& denominator) {
    PLIMSOLL_CHECK(denominator != 0, "a fraction needs a denominator");
    const Integer common = gcd(numerator, denominator);
    const Integer sign = denominator < 0 ? -1 : 1;
    numerator_ = exact_div(numerator, common) * sign;
    denominator_ = exact_div(denominator, common) * sign;
}

std::optional<Rational> Rational::from_text(std::string_view text) {
    if (const auto slash = text.find('/'); slash != std::string_view::npos) {
        const auto above = Integer::from_text(text.substr(0, slash));
        const auto below = Integer::from_text(text.substr(slash + 1));
        if (!above || !below || *below == 0) return std::nullopt;
        return Rational(*above, *below);
    }
    if (const auto mark = text.find_first_of("eE"); mark != std::string_view::npos) {
        const auto mantissa = from_text(text.substr(0, mark));
        std::string_view sign_and_digits = text.substr(mark + 1);
        if (sign_and_digits.starts_with('+') && !sign_and_digits.starts_with("+-"))
            sign_and_digits.remove_prefix(1);
        const auto exponent = Integer::from_text(sign_and_digits);
        if (!mantissa || !exponent || *exponent > max_exponent || *exponent < -max_exponent)
            return std::nullopt;
        const std::int64_t power = exponent->to_int64();
        const Rational scale = pow(Rational(10), static_cast<std::uint64_t>(power < 0 ? -power : power));
        return power < 0 ? *mantissa / scale : *mantissa * scale;
    }
    const auto point = text.find('.');
    if (point == std::string_view::npos) {
        const auto whole = Integer::from_text(text);
        return whole ? std::optional<Rational>(*whole) : std::nullopt;
    }
    const std::string_view decimals = text.substr(point + 1);
    if (decimals.empty() || decimals.size() > max_decimals || decimals.front() == '-') return std::nullopt;
    const auto digits = Integer::from_text(std::string(text.substr(0, point)) + std::string(decimals));
    if (!digits) return std::nullopt;
    return Rational(*digits, pow(Integer(10), decimals.size()));
}

std::string Rational::text() const {
    return is_integer() ? numerator_.text() : numerator_.text() + "/" + denominator_.text();
}

Rational operator+(const Rational& a, const Rational& b) {
    return {a.numerator_ * b.denominator_ + b.numerator_ * a.denominator_, a.denominator_ * b.denominator_};
}
Rational operator-(const Rational& a, const Rational& b) {
    return {a.numerator_ * b.denominator_ - b.numerator_ * a.denominator_, a.denominator_ * b.denominator_};
}
Rational operator*(const Rational& a, const Rational& b) {
    return {a.numerator_ * b.numerator_, a.denominator_ * b.denominator_};
}
Rational operator/(const Rational& a, const Rational& b) {
    return {a.numerator_ * b.denominator_, a.denominator_ * b.numerator_};
}

Rational pow(const Rational& base, std::uint64_t exponent) {
    Rational out;
    out.numerator_ = pow(base.numerator_, exponent);
    out.denominator_ = pow(base.denominator_, exponent);
    return out;
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
    return a.numerator_ * b.denominator_ <=> b.numerator_ * a.denominator_;
}

}  // namespace plimsoll::theory

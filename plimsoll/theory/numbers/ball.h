#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "plimsoll/theory/numbers/rational.h"

namespace plimsoll::theory {

// The answer to a question about real numbers that are known only as enclosures.
enum class Verdict { proved, refuted, undecided };

// "proved", "refuted" or "undecided".
std::string_view to_text(Verdict verdict);

// A real number known to lie in an interval (an Arb ball) with the precision it is computed at.
class Ball {
  public:
    explicit Ball(int bits);
    Ball(std::int64_t value, int bits);
    Ball(const Integer& value, int bits);
    Ball(const Rational& value, int bits);
    // The double itself, exactly.
    static Ball from_double(double value, int bits);
    // The smallest ball around both ends.
    static Ball hull(const Ball& a, const Ball& b);
    static Ball pi(int bits);
    static Ball euler_e(int bits);
    // The decimal text with the given uncertainty, or nothing when it is no number.
    static std::optional<Ball> from_text(std::string_view decimal, int bits);

    Ball(const Ball& other);
    Ball& operator=(const Ball& other);
    Ball(Ball&& other) noexcept;
    Ball& operator=(Ball&& other) noexcept;
    ~Ball();

    [[nodiscard]] int bits() const { return bits_; }
    [[nodiscard]] bool contains(const Ball& other) const;
    [[nodiscard]] bool contains(const Rational& value) const;
    [[nodiscard]] bool overlaps(const Ball& other) const;
    [[nodiscard]] bool is_finite() const;
    // Certified bounds of the ball as doubles, rounded outwards.
    [[nodiscard]] double lower() const;
    [[nodiscard]] double upper() const;
    [[nodiscard]] double middle() const;
    // The end of the interval as an exact ball.
    [[nodiscard]] Ball lower_end() const;
    [[nodiscard]] Ball upper_end() const;
    // Bits of relative accuracy; large for an exact value, negative when nothing is known.
    [[nodiscard]] std::int64_t accuracy_bits() const;
    // The midpoint to `digits` significant figures, trailing zeros cut; "0.0" for zero.
    [[nodiscard]] std::string text(int digits) const;
    // The only integer in the ball, if there is exactly one.
    [[nodiscard]] std::optional<Integer> unique_integer() const;
    // floor of the number when the ball decides it.
    [[nodiscard]] std::optional<Integer> unique_floor() const;
    // The midpoint rounded down.
    [[nodiscard]] Integer middle_floor() const;

    friend Ball operator+(const Ball& a, const Ball& b);
    friend Ball operator-(const Ball& a, const Ball& b);
    friend Ball operator*(const Ball& a, const Ball& b);
    friend Ball operator/(const Ball& a, const Ball& b);
    friend Ball operator-(const Ball& a);
    friend Ball log(const Ball& a);
    friend Ball log1p(const Ball& a);
    friend Ball exp(const Ball& a);
    friend Ball sqrt(const Ball& a);
    friend Ball cos(const Ball& a);
    friend Ball pow(const Ball& base, const Ball& exponent);
    friend Ball lgamma(const Ball& a);
    friend Ball abs(const Ball& a);
    friend Ball min(const Ball& a, const Ball& b);
    friend Ball max(const Ball& a, const Ball& b);
    // Is a < b? Undecided when the balls overlap.
    friend Verdict less(const Ball& a, const Ball& b);

    // The library's own handle, for the other files of theory.
    [[nodiscard]] const void* raw() const { return storage_; }
    [[nodiscard]] void* raw() { return storage_; }

  private:
    static constexpr std::size_t arb_size = 48;
    alignas(8) std::byte storage_[arb_size];
    int bits_;
};

// log base 3.
Ball log3(const Ball& a);
// ln(e^a + e^b) without overflow.
Ball log_add_exp(const Ball& a, const Ball& b);

// A real number that can be enclosed at any working precision.
using Real = std::function<Ball(int bits)>;

// Where the search for more precision stops.
inline constexpr int default_precision_limit = 1 << 16;

// Is a < b? Doubles the working precision from 64 bits until the balls separate or the limit is reached.
Verdict decide_less(const Real& a, const Real& b, int limit_bits = default_precision_limit);

// Encloses `value` to at least `accuracy_bits` relative bits (or exactly), doubling the precision up to the
// limit.
Ball refine(const Real& value, int accuracy_bits, int limit_bits = default_precision_limit);

}  // namespace plimsoll::theory

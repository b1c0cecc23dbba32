#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::theory {

// An exact integer of any size (FLINT's fmpz behind it).
class Integer {
  public:
    Integer(std::int64_t value = 0);
    Integer(const Integer& other);
    Integer(Integer&& other) noexcept;
    Integer& operator=(const Integer& other);
    Integer& operator=(Integer&& other) noexcept;
    ~Integer();

    // The integer a decimal text denotes, or nothing.
    static std::optional<Integer> from_text(std::string_view decimal);

    Integer& operator+=(const Integer& other);
    Integer& operator-=(const Integer& other);
    Integer& operator*=(const Integer& other);
    friend Integer operator+(Integer a, const Integer& b) { return a += b; }
    friend Integer operator-(Integer a, const Integer& b) { return a -= b; }
    friend Integer operator*(Integer a, const Integer& b) { return a *= b; }
    // Rounds towards minus infinity.
    friend Integer floor_div(const Integer& a, const Integer& b);
    // a / b where the division is known to be exact.
    friend Integer exact_div(const Integer& a, const Integer& b);
    // Non-negative remainder of the division by a positive modulus.
    friend Integer mod(const Integer& a, const Integer& modulus);
    friend Integer pow(const Integer& base, std::uint64_t exponent);

    friend std::strong_ordering operator<=>(const Integer& a, const Integer& b);
    friend bool operator==(const Integer& a, const Integer& b) { return (a <=> b) == 0; }

    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool fits_int64() const;
    // The value; a Bug unless fits_int64().
    [[nodiscard]] std::int64_t to_int64() const;
    [[nodiscard]] double to_double() const;
    // Binary digits of the absolute value; 0 for zero.
    [[nodiscard]] std::int64_t bits() const;

    // The library's own handle, for the other files of theory.
    [[nodiscard]] const std::int64_t* raw() const { return &handle_; }
    [[nodiscard]] std::int64_t* raw() { return &handle_; }

  private:
    std::int64_t handle_ = 0;
};

// 3^exponent.
Integer power_of_three(std::int64_t exponent);

// C(L) = (3^L - 1) / 2, the number of Gram matrices in an attention network of depth L (LEVINE-C).
Integer gram_count(std::int64_t depth);

// ((n, k)) = binom(n + k - 1, k), the multisets of size k from n kinds; ((0,0)) = 1 (MULTISET).
Integer multiset(const Integer& n, const Integer& k);

// n over k for 0 <= k; zero when k > n.
Integer binomial(const Integer& n, const Integer& k);

}  // namespace plimsoll::theory

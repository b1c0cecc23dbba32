#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "plimsoll/base/random.h"

namespace plimsoll::nets {

// 128-bit signed integers, the elements of the exact integer ring.
__extension__ typedef __int128 Integer;

// What a network needs of its numbers: they are added, multiplied, made from integers and drawn at random.
template <class R>
concept Ring = requires(const R& ring, typename R::Element a, std::int64_t n, RandomStream& stream) {
    { ring.add(a, a) } -> std::same_as<typename R::Element>;
    { ring.subtract(a, a) } -> std::same_as<typename R::Element>;
    { ring.multiply(a, a) } -> std::same_as<typename R::Element>;
    { ring.from_integer(n) } -> std::same_as<typename R::Element>;
    { ring.random(stream) } -> std::same_as<typename R::Element>;
};

// Exact integers of 127 bits and a sign; a result that does not fit is a Bug, never a wrong number.
class IntegerRing {
  public:
    using Element = Integer;

    // Random elements are uniform in [-bound, bound].
    explicit IntegerRing(std::int64_t bound = 3);

    [[nodiscard]] Integer add(Integer a, Integer b) const;
    [[nodiscard]] Integer subtract(Integer a, Integer b) const;
    [[nodiscard]] Integer multiply(Integer a, Integer b) const;
    [[nodiscard]] Integer from_integer(std::int64_t n) const { return n; }
    [[nodiscard]] Integer random(RandomStream& stream) const;

  private:
    std::int64_t bound_;
};

// Doubles, rounded as the processor rounds; random elements are uniform in [-1, 1).
class RealRing {
  public:
    using Element = double;

    [[nodiscard]] double add(double a, double b) const { return a + b; }
    [[nodiscard]] double subtract(double a, double b) const { return a - b; }
    [[nodiscard]] double multiply(double a, double b) const { return a * b; }
    [[nodiscard]] double from_integer(std::int64_t n) const { return static_cast<double>(n); }
    [[nodiscard]] double random(RandomStream& stream) const { return 2.0 * stream.uniform() - 1.0; }
};

// base^exponent by repeated squaring; base^0 is one.
template <Ring R>
typename R::Element power(const R& ring, typename R::Element base, std::uint64_t exponent) {
    typename R::Element result = ring.from_integer(1);
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1) result = ring.multiply(result, base);
        if (exponent > 1) base = ring.multiply(base, base);
    }
    return result;
}

}  // namespace plimsoll::nets

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "plimsoll/base/random.h"
#include "plimsoll/theory/numbers/ball.h"
#include "tests/support/random_spec.h"

// What the tests of theory share: random big numbers, certified comparisons and the grid of shapes.
namespace plimsoll::theory {

// A signed integer of up to `max_digits` digits, small ones as likely as large ones.
inline Integer random_integer(RandomStream& stream, std::uint64_t max_digits) {
    std::string text = stream.below(2) == 0 ? "" : "-";
    const std::uint64_t digits = 1 + stream.below(max_digits);
    for (std::uint64_t i = 0; i < digits; ++i) text += static_cast<char>('0' + stream.below(10));
    return *Integer::from_text(text);
}

inline Integer random_nonzero(RandomStream& stream, std::uint64_t max_digits) {
    const Integer value = random_integer(stream, max_digits);
    return value == 0 ? Integer(1) : value;
}

inline Rational random_rational(RandomStream& stream, std::uint64_t max_digits) {
    return {random_integer(stream, max_digits), random_nonzero(stream, max_digits)};
}

inline std::int64_t random_between(RandomStream& stream, std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(high - low + 1)));
}

// Calls `body(stream)` `count` times (times PLIMSOLL_TEST_SCALE), each with its own seed, named in failures.
template <class Body>
void for_seeds(int count, Body body) {
    for (int seed = 0; seed < count * testing::test_scale(); ++seed) {
        const ::testing::ScopedTrace trace(__FILE__, __LINE__, "seed " + std::to_string(seed));
        RandomStream stream(static_cast<std::uint64_t>(seed), "tests/theory");
        body(stream);
        if (::testing::Test::HasFailure()) return;
    }
}

// a < b, certified. 1024 bits: equal numbers would go on for ever, and no two different ones met in these
// tests are closer.
inline bool certainly_less(const Real& a, const Real& b) {
    return decide_less(a, b, 1024) == Verdict::proved;
}
inline bool certainly_greater(const Real& a, const Real& b) { return certainly_less(b, a); }

inline Real exact(const Rational& value) {
    return [value](int bits) { return Ball(value, bits); };
}
inline Real log3_of(const Rational& value) {
    return [value](int bits) { return log3(Ball(value, bits)); };
}

inline std::vector<std::int64_t> divisors(std::int64_t n) {
    std::vector<std::int64_t> out;
    for (std::int64_t k = 1; k <= n; ++k) {
        if (n % k == 0) out.push_back(k);
    }
    return out;
}

}  // namespace plimsoll::theory

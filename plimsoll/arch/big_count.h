#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "plimsoll/base/check.h"

namespace plimsoll::arch {

// A number of things, exact up to 2^128 - 1; overflow, a negative value or a negative difference is a Bug.
class Count {
  public:
    constexpr Count() = default;
    constexpr Count(std::int64_t value) : value_(static_cast<Wide>(value)) {
        if (value < 0) throw_bug("value >= 0", __FILE__, __LINE__, "negative count");
    }

    Count& operator+=(Count other) {
        PLIMSOLL_CHECK(!__builtin_add_overflow(value_, other.value_, &value_), "count overflows");
        return *this;
    }
    Count& operator-=(Count other) {
        PLIMSOLL_CHECK(!__builtin_sub_overflow(value_, other.value_, &value_), "count below zero");
        return *this;
    }
    Count& operator*=(Count other) {
        PLIMSOLL_CHECK(!__builtin_mul_overflow(value_, other.value_, &value_), "count overflows");
        return *this;
    }
    friend Count operator+(Count a, Count b) { return a += b; }
    friend Count operator-(Count a, Count b) { return a -= b; }
    friend Count operator*(Count a, Count b) { return a *= b; }
    friend bool operator==(Count a, Count b) { return a.value_ == b.value_; }
    friend std::strong_ordering operator<=>(Count a, Count b) { return a.value_ <=> b.value_; }

    // The nearest double.
    [[nodiscard]] double real() const { return static_cast<double>(value_); }
    // Decimal digits: 124439808.
    [[nodiscard]] std::string text() const;
    // Decimal digits in groups of three: 124,439,808.
    [[nodiscard]] std::string grouped() const;
    // Whether it can be held in a signed 64-bit number.
    [[nodiscard]] bool fits_int64() const { return value_ <= static_cast<Wide>(INT64_MAX); }

  private:
    __extension__ using Wide = unsigned __int128;
    Wide value_ = 0;
};

}  // namespace plimsoll::arch

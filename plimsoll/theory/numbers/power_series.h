#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/theory/numbers/integer.h"

namespace plimsoll::theory {

// An integer power series modulo x^length (FLINT's fmpz_poly behind it); internal to theory.
class Series {
  public:
    explicit Series(std::int64_t length);
    Series(std::int64_t length, const std::vector<Integer>& coefficients);
    Series(const Series& other);
    Series(Series&& other) noexcept;
    Series& operator=(const Series& other);
    Series& operator=(Series&& other) noexcept;
    ~Series();

    [[nodiscard]] std::int64_t length() const { return length_; }
    [[nodiscard]] Integer coefficient(std::int64_t index) const;
    [[nodiscard]] Series shifted(std::int64_t places) const;
    // 1 / series; the constant term must be 1 or -1.
    [[nodiscard]] Series inverse() const;
    friend Series operator+(const Series& a, const Series& b);
    friend Series operator-(const Series& a, const Series& b);
    friend Series operator*(const Series& a, const Series& b);

  private:
    struct Polynomial;
    std::int64_t length_;
    Polynomial* polynomial_;
};

}  // namespace plimsoll::theory

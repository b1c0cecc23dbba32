#pragma once

#include "plimsoll/nets/prime_field.h"

namespace plimsoll::nets {

// c + c_s s + c_t t + c_st s t with s^2 = t^2 = 0.
struct Jet {
    std::uint64_t constant = 0, s = 0, t = 0, st = 0;

    bool operator==(const Jet&) const = default;
};

// Jets over a prime field: at x + s E + t E' the coefficient s of a polynomial is its derivative along E, the
// coefficient st its second derivative along E and E'.
class JetRing {
  public:
    using Element = Jet;

    explicit JetRing(PrimeField field) : field_(field) {}

    [[nodiscard]] const PrimeField& field() const { return field_; }

    [[nodiscard]] Jet add(const Jet& a, const Jet& b) const;
    [[nodiscard]] Jet subtract(const Jet& a, const Jet& b) const;
    [[nodiscard]] Jet multiply(const Jet& a, const Jet& b) const;
    [[nodiscard]] Jet from_integer(std::int64_t n) const { return {field_.from_integer(n)}; }
    // A random constant.
    [[nodiscard]] Jet random(RandomStream& stream) const { return {field_.random(stream)}; }

  private:
    PrimeField field_;
};

}  // namespace plimsoll::nets

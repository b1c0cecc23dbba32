#include "plimsoll/theory/papers/hayase_bounds.h"

namespace plimsoll::theory {

Integer hayase_width(const Integer& tokens, const Integer& channels) { return tokens * channels; }

Rational hayase_omega(const Integer& tokens, const Integer& channels, const Rational& gamma) {
    return gamma * Rational(tokens * channels * (tokens + channels), 2);
}

Ball hayase_max_width(const Rational& omega, const Rational& gamma, int bits) {
    const Ball ratio(omega / gamma, bits);
    return exp(log(ratio) * Ball(Rational(Integer(2), Integer(3)), bits));
}

Ball hayase_channels(const Rational& omega, const Rational& gamma, const Rational& tokens, int bits) {
    const Rational under_root = tokens * tokens + Rational(8) * omega / (gamma * tokens);
    return (sqrt(Ball(under_root, bits)) - Ball(tokens, bits)) / Ball(2, bits);
}

Integer hayase_nonzeros(const Integer& tokens, const Integer& channels) { return channels * tokens * tokens; }

Rational hayase_density(const Integer& tokens, const Integer& channels) {
    return {hayase_nonzeros(tokens, channels), tokens * channels * tokens * channels};
}

}  // namespace plimsoll::theory

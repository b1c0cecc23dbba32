#pragma once

#include "plimsoll/theory/numbers/ball.h"

// Hayase & Karakida 2024: a mixer as a wide, sparse MLP. Pages: docs/bounds/hayase-*.md.
namespace plimsoll::theory {

// Effective width S C (HAYASE-WIDTH).
Integer hayase_width(const Integer& tokens, const Integer& channels);
// Connections gamma S C (S + C) / 2, the form inferred from the stated maximum, erratum E61 (HAYASE-OMEGA).
Rational hayase_omega(const Integer& tokens, const Integer& channels, const Rational& gamma);
// Largest effective width (Omega / gamma)^(2/3), reached at S = C (HAYASE-MAXW).
Ball hayase_max_width(const Rational& omega, const Rational& gamma, int bits);
// Channels that S tokens leave at fixed connections: (sqrt(S^2 + 8 Omega/(gamma S)) - S) / 2 (HAYASE-C-OF-S).
Ball hayase_channels(const Rational& omega, const Rational& gamma, const Rational& tokens, int bits);
// Non-zeros C S^2 of the token-mixing matrix (HAYASE-NNZ) and their share 1/C (HAYASE-DENSITY).
Integer hayase_nonzeros(const Integer& tokens, const Integer& channels);
Rational hayase_density(const Integer& tokens, const Integer& channels);

}  // namespace plimsoll::theory

#pragma once

#include "plimsoll/theory/numbers/flint_headers.h"
#include "plimsoll/theory/numbers/integer.h"

namespace plimsoll::theory {

// FLINT's own view of an Integer; internal to theory.
inline fmpz* as_fmpz(Integer& value) { return reinterpret_cast<fmpz*>(value.raw()); }
inline const fmpz* as_fmpz(const Integer& value) { return reinterpret_cast<const fmpz*>(value.raw()); }

}  // namespace plimsoll::theory

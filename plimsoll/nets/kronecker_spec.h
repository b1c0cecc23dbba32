#pragma once

#include "plimsoll/arch/flat_nets.h"
#include "plimsoll/arch/mixer.h"
#include "plimsoll/base/result.h"
#include "plimsoll/nets/kronecker.h"

namespace plimsoll::nets {

// The net of a pk spec on its flat vector. An error names the key that makes the net no plain polynomial (an
// activation other than the square, norms, biases, dense layers at the ends).
Result<KroneckerNetSpec> kronecker_spec(const arch::PkSpec& spec);

// The net of an s-mixer, mixer or rp-mixer spec on vec(X), X (tokens, channels), with the same demands and
// without causal masks. Blocks with frozen permutations shuffle before and after every matrix (HAYASE-PK).
Result<KroneckerNetSpec> kronecker_spec(const arch::MixerSpec& spec);

}  // namespace plimsoll::nets

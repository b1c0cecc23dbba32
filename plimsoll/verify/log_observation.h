#pragma once

#include "plimsoll/theory/numbers/ball.h"
#include "plimsoll/verify/observation.h"

namespace plimsoll::verify {

// The claim says that one number exceeds another, both given by their log_3 at any precision.
Observation exceeds(const theory::Real& larger_log3, const theory::Real& smaller_log3);

}  // namespace plimsoll::verify

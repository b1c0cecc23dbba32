#pragma once

#include "plimsoll/audit/findings/diagnosis.h"

namespace plimsoll::audit {

// Parameters of the target by every way there is: its headers, its shape, its publication.
ParameterCounts count_parameters(const Target& target);

}  // namespace plimsoll::audit

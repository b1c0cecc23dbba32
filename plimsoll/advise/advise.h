#pragma once

#include "plimsoll/advise/advice.h"
#include "plimsoll/base/result.h"

// How deep and how wide a network should be for a parameter budget. Rules and evidence: docs/ADVICE.md.
namespace plimsoll::advise {

// The advice for a request; an error names the flag that cannot be met.
Result<Advice> advise(const AdviceRequest& request);

}  // namespace plimsoll::advise

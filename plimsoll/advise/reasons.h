#pragma once

#include "plimsoll/advise/advice.h"

namespace plimsoll::advise {

// Fills in the certified ends of the answer's capacity and the layer before which strings do not limit it.
void certify(Advice& advice);

// Adds a reason for each rule of docs/ADVICE.md that applies to the answer; after certify().
void add_reasons(Advice& advice);

}  // namespace plimsoll::advise

#pragma once

#include "plimsoll/base/result.h"
#include "plimsoll/cli/advise/advise_flags.h"

namespace plimsoll::cli {

// `advise --family mlp`: the networks for a table that cost the budget, one for each depth that is usually
// tried. Nothing ranks them but a race, and the answer says so.
Result<int> advise_table(const AdviseFlags& flags);

}  // namespace plimsoll::cli

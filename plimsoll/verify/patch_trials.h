#pragma once

#include <functional>
#include <vector>

#include "plimsoll/verify/claim.h"

namespace plimsoll::verify {

// Lemma 5 of Wies et al. 2021: patches of V numbers must give the templates of LEVINE-L4. As printed
// coordinate alpha reads number alpha of the patch; in the repair the coordinates in use read one after the
// other.
std::function<std::vector<Trial>(Effort)> patch_trials(bool as_printed);

}  // namespace plimsoll::verify

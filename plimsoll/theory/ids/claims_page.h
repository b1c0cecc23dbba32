#pragma once

#include <string>

namespace plimsoll::theory {

// docs/bounds/README.md: every claim with its page and what the status table says, grouped by source.
std::string claims_page();

}  // namespace plimsoll::theory

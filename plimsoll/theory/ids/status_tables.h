#pragma once

#include <span>

#include "plimsoll/theory/ids/status.h"

// The parts of the status table, one per source; internal to theory.
namespace plimsoll::theory {

std::span<const ClaimStatus> levine_statuses();
std::span<const ClaimStatus> wies_statuses();
std::span<const ClaimStatus> navon_hayase_statuses();
std::span<const ClaimStatus> our_statuses();
std::span<const ClaimStatus> attainment_statuses();

}  // namespace plimsoll::theory

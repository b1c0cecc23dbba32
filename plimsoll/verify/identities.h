#pragma once

#include <vector>

#include "plimsoll/verify/claim.h"

// Identities of the networks, checked at random points modulo 2^61 - 1: a false one survives a point with
// probability at most degree / 2^61.
namespace plimsoll::verify {

std::vector<Trial> layer_form_trials(Effort effort);
std::vector<Trial> gram_trials(Effort effort);
std::vector<Trial> degree_trials(Effort effort);
std::vector<Trial> expansion_trials(Effort effort);

}  // namespace plimsoll::verify

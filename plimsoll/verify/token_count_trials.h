#pragma once

#include <vector>

#include "plimsoll/verify/claim.h"

// Lemma 7 of Wies et al. 2021: rows of natural numbers of one norm, spelt out by repeated tokens.
namespace plimsoll::verify {

// The repaired construction, evaluated literally: its grid has the promised rank.
std::vector<Trial> token_count_trials(Effort effort);
// The printed sequences alone: do they repeat each token as often as the rows say?
std::vector<Trial> printed_token_count_trials(Effort effort);

}  // namespace plimsoll::verify

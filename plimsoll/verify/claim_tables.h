#pragma once

#include <vector>

#include "plimsoll/verify/claim.h"

// One table of claims per paper, for claim.cpp.
namespace plimsoll::verify {

std::vector<Claim> separation_claims();
std::vector<Claim> levine_claims();
std::vector<Claim> lemma_claims();
std::vector<Claim> corollary_claims();
std::vector<Claim> theorem4_claims();
std::vector<Claim> wies_claims();
std::vector<Claim> embedding_lemma_claims();
std::vector<Claim> navon_claims();
std::vector<Claim> expressive_gap_claims();
std::vector<Claim> hayase_claims();
std::vector<Claim> hilbert_claims();
std::vector<Claim> capacity_claims();
std::vector<Claim> attainment_claims();
std::vector<Claim> odd_split_claims();

}  // namespace plimsoll::verify

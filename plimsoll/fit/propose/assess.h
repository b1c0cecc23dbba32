#pragma once

#include "plimsoll/advise/advice_request.h"
#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/propose/shape_maker.h"

// What theory says about one shape, by audit's own functions and rules.
namespace plimsoll::fit {

// Three layers are in the middle of the one to eight that searches over networks for tables try (Gorishniy et
// al. 2021); nobody measured a law.
constexpr double usual_depth_of_tables = 3;

// The request that audit's rules judge a network by: a vocabulary counts the tokens that occur, patches their
// measured rank.
advise::AdviceRequest request_for(const std::string& family, const InputChoice& input, const DataLook& look,
                                  std::int64_t budget);

// The network in audit's numbers.
advise::Layout layout_of(const arch::ArchSpec& spec, const InputChoice& input);

// Training FLOPs of one byte, image, pair or sequence.
double flops_per_unit(const arch::ArchSpec& spec, const InputChoice& input);

// A candidate of this network with its costs, capacity and findings; id, rival, score and why are left open.
// `best_capacity` is what capacity_share is a share of.
Candidate assess(const arch::ArchSpec& spec, const InputChoice& input, const DataLook& look,
                 std::int64_t budget, double best_capacity);

}  // namespace plimsoll::fit

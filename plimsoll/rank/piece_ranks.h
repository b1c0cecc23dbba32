#pragma once

#include <vector>

#include "plimsoll/rank/elimination/elimination.h"
#include "plimsoll/rank/rank_report.h"

namespace plimsoll::rank {

// The rank of every piece, in the order of the list. Where full rank propagates, the pieces in the middle are
// eliminated first and those that follow from them are not. `degree` is the network's, for the chance of
// error. Pieces let go of their sources when they are done.
std::vector<PieceReport> rank_pieces(PieceList& list, std::uint64_t degree, const EliminationLimits& limits,
                                     const ProgressCallback& progress = {});

}  // namespace plimsoll::rank

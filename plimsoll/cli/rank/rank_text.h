#pragma once

#include "plimsoll/rank/sup_inf.h"

namespace plimsoll::cli {

// The rank, how it was made, what it certifies and the bounds beside it.
void print_rank(const rank::RankReport& report);

// The two extremes, where they are and whether all cases were seen.
void print_sup_inf(const rank::SupInfReport& report);

// "0,1,2"; long lists are cut.
std::string left_text(const std::vector<std::size_t>& left);

}  // namespace plimsoll::cli

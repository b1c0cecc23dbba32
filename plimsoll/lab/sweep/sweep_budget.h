#pragma once

#include "plimsoll/lab/places.h"
#include "plimsoll/lab/sweep/sweep.h"

namespace plimsoll::lab {

// Reads the table `budget` of a sweep over networks of these families.
Result<Budget> read_budget(const Json& table, const std::vector<std::string>& families, const Places& places);

}  // namespace plimsoll::lab

#pragma once

#include <string>

#include "plimsoll/fit/look/data_look.h"
#include "plimsoll/fit/race/fitting.h"

namespace plimsoll::cli {

// The race before its first run: how many networks and seeds, how long each run is, the rates that are tried,
// what each run will take here, and what the plan had to leave out.
std::string plan_text(const fit::Fitting& fitting, const fit::DataLook& look);

}  // namespace plimsoll::cli

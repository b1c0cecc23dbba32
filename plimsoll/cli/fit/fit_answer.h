#pragma once

#include <string>

#include "plimsoll/fit/fit.h"

namespace plimsoll::cli {

// The last lines of a fit, 15 at most of 80 columns: the shape, how sure, what it costs, what to do next.
std::string answer_text(const fit::Decision& decision, const fit::DataLook& look,
                        const fit::Proposal& proposal, const fit::HandedOver& handed, bool colour);

}  // namespace plimsoll::cli

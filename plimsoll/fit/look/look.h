#pragma once

#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"
#include "plimsoll/fit/look/data_look.h"
#include "plimsoll/fit/request.h"

// The first step of a fit: what the data is, how it can be cut into tokens, and what depends on what.
namespace plimsoll::fit {

// Reads the data, trains the vocabularies (OUT/tokenizers; those that are there are kept) and measures. Bad
// data gets a sentence that says what was seen and what would do.
Result<DataLook> look(const FitRequest& request, const ProgressCallback& progress = {});

}  // namespace plimsoll::fit

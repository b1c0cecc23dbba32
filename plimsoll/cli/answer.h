#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"

namespace plimsoll::cli {

// A document and what was assumed for it.
struct Answer {
    Json document;
    std::vector<std::string> notes;
};

// What `plimsoll WORDS --json` prints, asked for inside this process: for faces that are no terminal. Nothing
// is printed. Verbs that start programs (train, fit, sweep run) are not for it. `progress` hears how far a
// long one is; what it throws comes out of here, unless it is a std::exception, which is taken for a bug.
Result<Answer> answer(const std::vector<std::string>& words, const ProgressCallback& progress = {});

}  // namespace plimsoll::cli

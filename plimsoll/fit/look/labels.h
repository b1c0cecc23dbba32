#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/fit/look/look_task.h"

namespace plimsoll::fit {

// The labels of a set, and what is said about them.
struct LabelledParts {
    std::vector<std::uint16_t> train, held_out;
    std::vector<std::string> names;  // may be empty
    std::string unit;                // "images"
};
// Fills sizes, classes and chance; refuses sets with nothing to tell apart or too few to do it.
Status describe_labels(const LabelledParts& parts, const LookTask& task, DataLook& look);

}  // namespace plimsoll::fit

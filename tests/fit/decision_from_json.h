#pragma once

#include "plimsoll/fit/decide/decision_fields.h"
#include "plimsoll/fit/json_fields.h"

namespace plimsoll::fit {

// The decision that to_json() wrote.
inline Result<Decision> decision_from_json(const Json& json) {
    return read_fields<Decision>(json, "decision");
}

}  // namespace plimsoll::fit

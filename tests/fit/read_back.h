#pragma once

#include "plimsoll/fit/decide/decision_fields.h"
#include "plimsoll/fit/json_fields.h"
#include "plimsoll/fit/request_fields.h"

// What to_json() wrote, read again: the product itself never does.

namespace plimsoll::fit {

inline Result<Decision> decision_from_json(const Json& json) {
    return read_fields<Decision>(json, "decision");
}

inline Result<FitRequest> request_from_json(const Json& json) {
    return read_fields<FitRequest>(json, "request");
}

}  // namespace plimsoll::fit

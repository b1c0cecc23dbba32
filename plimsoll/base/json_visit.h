#pragma once

#include <string>
#include <string_view>

#include "plimsoll/base/json.h"

namespace plimsoll {

// Told of a JSON text piece by piece, so that a large hostile text is judged without being held as values.
// The first error stops the reading.
class JsonVisitor {
  public:
    virtual ~JsonVisitor() = default;
    // An object or an array opens, and closes.
    virtual Status begin(bool is_object) = 0;
    virtual Status end(bool is_object) = 0;
    // The key of the member whose value comes next; nothing has checked that it is new.
    virtual Status key(std::string name) = 0;
    // A string, number, boolean or null.
    virtual Status scalar(Json value) = 0;
};

// Reads `text` as one JSON value and tells `visitor`; refuses what is not JSON, nesting deeper than 64 and
// trailing text. The time is linear in the text.
Status visit_json(std::string_view text, std::string_view where, JsonVisitor& visitor);

}  // namespace plimsoll

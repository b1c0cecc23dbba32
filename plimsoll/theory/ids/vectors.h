#pragma once

#include <string>
#include <vector>

#include "plimsoll/theory/ids/formula.h"

namespace plimsoll::theory {

// A value in the form of the vectors files: {"int": ...}, {"int_summary": ...}, {"rational": ...}, {"dec30":
// ...}, {"str": ...},
// {"bool": ...}, {"null": true} or {"ints": [...]}; reals to `digits` significant figures.
Result<Json> to_json(const Value& value, int digits = 30);

// One vector that did not come out as the file says.
struct Difference {
    std::size_t index = 0;  // position in the file, from 0
    std::string id;
    std::string inputs;
    std::string reason;  // "expected ..., got ..."
};

struct CheckReport {
    std::size_t checked = 0;
    std::vector<Difference> differences;
};

// Checks every vector of a parsed file (SPEC section 6, CAPACITY section 7); an error when the file itself is
// not of that form.
Result<CheckReport> check_vectors(const Json& file, const std::string& where);

}  // namespace plimsoll::theory

#pragma once

#include <optional>

#include "plimsoll/theory/attainment/attained.h"
#include "plimsoll/theory/attainment/gram_powers.h"

// The choice between the theorems, in double precision; internal to theory. Whatever is chosen is proved, so
// that a rounding error here can only cost a little of the bound.
namespace plimsoll::theory {

// One theorem with its parameters.
struct Route {
    enum class Theorem { d1, d2, d3 } theorem = Theorem::d1;
    bool imitated = false;   // route E: one head of `width` made of several
    std::int64_t width = 0;  // that the theorem is used at
    Collapse collapse;       // of D2; D3 uses its first_layers
    double log3 = 0;
};

// The route with the largest bound, or none.
std::optional<Route> best_route(const AttainedShape& shape);

}  // namespace plimsoll::theory

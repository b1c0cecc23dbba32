#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/json.h"

namespace plimsoll::report {

// What points are to a reader: their colour and symbol, and those that the legend names.
struct PointRoles {
    std::vector<std::string> names;    // in the order of colours
    std::vector<std::string> symbols;  // by name
    std::vector<std::string> shown;    // of the names, in any order, also twice
};

// The encoding of the field "role" as colour.
Json role_colour(const PointRoles& roles);

// The encoding of the field "role" as symbol.
Json role_symbol(const PointRoles& roles);

}  // namespace plimsoll::report

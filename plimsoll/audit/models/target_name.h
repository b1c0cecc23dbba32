#pragma once

#include <string>
#include <string_view>

#include "plimsoll/audit/models/zoo.h"

namespace plimsoll::audit {

// Letters in lower case and digits, everything else dropped but points between digits: "T5-11B" and "t5 11b"
// are the same name, OPT-1.3B and OPT-13B are not.
std::string plain_name(std::string_view name);

// The model of the zoo with that name, ignoring case and punctuation; a prefix will do when it is the only
// one. Points between digits may be left out where that is no other model. Otherwise a `not_found` error with
// the candidates or the nearest names.
Result<const ZooRow*> find_in_zoo(std::string_view name);

}  // namespace plimsoll::audit
